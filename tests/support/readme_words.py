"""What the READMEs' tables say about things whose names and values come from the code, in English and Chinese."""

from __future__ import annotations

Both = tuple[str, str]

COMMANDS_IN_CHINESE: dict[str, str] = {
    "interrupt": "关闭最上层的窗口；没有时停止当前任务",
    "shell": "在你的 shell 里运行一行命令；结果助手也能看到",
    "new": "开始新会话；当前会话可用 /resume 找回",
    "clear": "清空屏幕，开始新会话",
    "resume": "继续较早的会话：可搜索、改名、删除、复制",
    "sessions": "列出本目录或全部目录的会话；任务运行中也可",
    "rename": "给当前会话命名",
    "fork": "在当前会话的副本中继续",
    "rewind": "回到较早的一轮：对话、文件，或两者（按两次 esc）",
    "retry": "上一轮失败后再试一次",
    "compact": "立即概括较早的对话，腾出空间",
    "uncompact": "撤销上一次压缩：较早的消息恢复",
    "context": "显示什么占用了窗口、增长多快，以及最大的消息",
    "export": "把对话写成文件：Markdown、JSON 或 HTML 页面；密钥会被遮盖",
    "copy": "复制上一条回答",
    "save": "存下一条事实：本项目或所有项目；按键会带上选中的文字",
    "memory": "显示已保存的事实；adopt：接收已搬走的项目的事实",
    "forget": "删除一条已保存的事实",
    "recall": "找回记忆里关于某些词的内容，给你也给模型",
    "inspector": "显示或隐藏记忆检查器",
    "note": "把一行写进 CODEAGENT.md：项目的、本机的或你自己的",
    "imports": "允许或拒绝 CODEAGENT.md 导入项目以外的文件",
    "init": "根据仓库内容起草 CODEAGENT.md",
    "model": "连接模型：服务器、密钥、模型",
    "mode": "设定哪些操作不必询问：ask、accept-edits、plan、unattended",
    "next_mode": "在“询问”“接受编辑”“计划”之间切换",
    "permissions": "查看并收回本次会话或永久允许的操作",
    "tools": "列出工具及其权限",
    "palette": "查找命令",
    "fold": "折叠或展开全部工具输出",
    "page_up": "对话向上翻页",
    "page_down": "对话向下翻页",
    "transcript_home": "回到对话开头",
    "transcript_end": "回到最新输出并跟随（没有输入文字时 end 键也可）",
    "theme": "选择配色",
    "help": "显示按键和命令",
    "suspend": "把程序放到后台",
    "clear_or_quit": "复制选中的文字；停止任务；清空草稿（按 up 取回）；空行上按两次退出",
    "quit_empty": "没有输入文字时退出",
    "quit": "退出；未发送的文字下次还在",
}

SETTINGS: dict[str, Both] = {
    "model": ("the model's id; `offline` or empty: the offline engine", "模型名称；`offline` 或空：离线引擎"),
    "base_url": ("an OpenAI-compatible endpoint; empty: OpenAI's", "兼容 OpenAI 的接口地址；空：OpenAI 官方"),
    "api_key": (
        "the key; better in the environment or stored by `/model`",
        "密钥；建议放在环境变量里，或由 `/model` 保存",
    ),
    "window": (
        "the model's context window in tokens; 0: from the table of known models, else 128,000 with a notice",
        "模型的上下文窗口（token 数）；0：取自已知模型表，未知时按 128,000 并提示",
    ),
    "max_output_tokens": (
        "the longest answer in tokens; 0: the server's own limit",
        "回答的最大 token 数；0：由服务器决定",
    ),
    "mode": ("what runs without asking, see below", "哪些操作不必询问，见下文"),
    "theme": (
        "`codeagent-dark`, `codeagent-light` or another of Textual's; empty: dark",
        "`codeagent-dark`、`codeagent-light` 或 Textual 的其他主题；空：深色",
    ),
    "max_steps": ("model calls in one turn before it stops and says so", "一轮中最多调用模型的次数，到达后停止并说明"),
    "max_attempts": (
        "HTTP requests for one model call, the first included",
        "一次模型调用最多发出的 HTTP 请求数（含第一次）",
    ),
    "longest_wait": (
        "seconds that a server may ask us to wait before the turn stops instead",
        "服务器要求等待的最长秒数，超过则停止本轮",
    ),
    "request_timeout": ("longest silence of the server in seconds", "服务器最长无响应时间（秒）"),
    "command_timeout": ("seconds that a shell command may take", "一条命令的最长运行时间（秒）"),
    "compaction_trigger": (
        "share of the window at which older turns are summarised, never past the ceiling; 0: the window less 33,000 "
        "tokens (less on small windows)",
        "占用窗口多大比例时压缩较早的对话，不会超过上限；0：窗口减 33,000（小窗口减得更少）",
    ),
    "background_compaction": (
        "compact beside the conversation; `false`: the next request waits for it",
        "在后台压缩，对话照常进行；`false`：下一次请求等它完成",
    ),
    "summary_model": (
        "the model, at the same endpoint, that summarises; empty: the one that is talked to",
        "用于概括的模型（同一接口）；空：与对话相同",
    ),
    "calibrate": (
        "count with a safe estimate, corrected by what the provider reports; without it, by the plain formula alone",
        "用安全的估算，并按服务器报告的用量校正；关闭时只用基本公式",
    ),
    "compression_trigger_ratio": (
        "how full the short-term memory gets before it is compressed, never below 0.5",
        "短期记忆占用达到多少时压缩，不低于 0.5",
    ),
    "retrieval_ranker": (
        "how facts are matched to a message: `formula` counts words, `weighted` also weighs them by rarity and folds "
        "their forms, better for long questions",
        "事实与消息的匹配方式：`formula` 只数词，`weighted` 还按稀有程度加权并合并词形，更适合长问题",
    ),
    "read_agents_md": (
        "read `AGENTS.md` or `CLAUDE.md` where a project has no `CODEAGENT.md`",
        "项目没有 `CODEAGENT.md` 时改读 `AGENTS.md` 或 `CLAUDE.md`",
    ),
    "discover": ("look for local servers at start", "启动时寻找本机的模型服务"),
}

EXIT_CODES: dict[int, Both] = {
    0: ("answered", "已回答"),
    1: (
        "the model failed or gave no answer, or the output could not be written; for `doctor`: something is wrong",
        "模型失败或没有回答，或输出无法写出；对 `doctor`：有问题",
    ),
    2: ("wrong usage or settings; nothing was done", "用法或设置有误；什么也没做"),
    3: ("answered, but a tool was refused because nobody could be asked", "已回答，但有工具因无人可问而被拒绝"),
    4: ("stopped at the step limit", "达到步数上限而停止"),
    70: ("internal error; a log says more", "内部错误；详情见日志"),
    130: ("interrupted by ctrl+c or a signal; the session is kept", "被 ctrl+c 或信号中断；会话已保存"),
}

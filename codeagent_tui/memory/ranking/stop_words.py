"""Words that carry the grammar of a question and not what it is about, in English and Chinese."""

from __future__ import annotations

_ENGLISH = """
a an the and or but if then else of at by for with about into to from up down in out on off over under is are
was were be been being am do does did doing done have has had having i me my mine we us our you your he him
his she her it its they them their this that these those what which who whom whose when where why how can
could will would shall should may might must not no nor so than too very just as s t m re ve ll d please tell
there here some any all both each few more most other such own same only again further once during before
after above below between through because until while let
"""
_CHINESE = """
的 了 是 在 吗 呢 吧 啊 和 与 或 有 没有 没 我 我们 你 你们 您 他 她 它 他们 这 那
这个 那个 这些 那些 哪 哪个 哪里 哪些 什么 怎么 怎样 怎么样 如何 为什么 多少 几 谁 应该 可以
可能 需要 要 会 能 能不能 不 不能 就 都 也 还 还是 又 再 把 被 给 让 从 到 对 向 用 个
一个 一下 一些 时候 以后 之后 以前 上 下 里 中 最 很 太 直接 现在 请 请问 问 想 得 着 过
地 是不是 有没有 才 写 做 看
"""
ENGLISH = frozenset(_ENGLISH.split())
CHINESE = frozenset(_CHINESE.split())

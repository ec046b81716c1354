package terms

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// numerals and demonstratives that may stand before a measure word.
const numerals = "一二三四五六七八九十百千万两几数每这那哪整半"

// measures are the measure words that say nothing about the thing that they count.
const measures = "只个条位头匹辆台部本张把件双副支枝根朵棵株座栋幢间套份杯瓶碗盘袋盒箱颗粒块片名口群些种样次回遍趟顿场届对架艘封首幅款项则句"

// units make one term with the number in digits before them: 3月, 1990年, 28岁.
const units = "年月日号点时分岁元天周楼层室度米"

// nounsAnywhere are nouns of one character, animals and kin, that name the same thing at
// any place in a longer word (猫粮, 橘猫, 我妈妈).
const nounsAnywhere = "猫狗鸟兔龟猪羊鸭鹅鱼虾蟹妈爸姐妹哥弟"

// nounsAtEnd are nouns of one character that give a longer word its kind where it ends (新车,
// 绿茶), but little elsewhere (车站, 书记).
const nounsAtEnd = "车书花酒茶饭菜肉蛋药鞋帽伞琴棋球歌画剧糖醋鸡牛马"

// hanStopWords cut: pronouns, question words, modal verbs, requests, adverbs, conjunctions
// and prepositions, and what is said about remembering itself.
const hanStopWords = `
我 你 您 他 她 它 咱 俺 们 我们 你们 您们 他们 她们 它们 咱们 自己 人家 大家 别人 本人 其他 其它
什么 什么样 什么样的 啥 为什么 为啥 为何 干什么 干嘛 干吗 怎么 怎么样 怎么办 怎样 如何 哪 哪里 哪儿 哪个 哪些
哪种 哪位 哪天 谁 几 几个 几位 几时 多少 多久 多长 多大 多高 多远 何时 什么时候 时候 哪年 哪家 是否 是不是 有没有
能不能 可不可以 会不会 要不要 对不对 好不好 行不行 在不在 记不记得 知不知道
的 了 着 过 吗 呢 吧 啊 呀 嘛 哦 噢 喔 嗯 么 的话 似的 之 其
是 在 有 没 没有 不 不是 不会 不能 不要 不用 不太 不想 不再 不过 别 也 都 就 才 又 还 还有 还是 还在 很 太 挺 更 最 再 只 只是
只有 也是 都是 就是 也有 都有 而是 不只 不仅 有的 有些 有个 有点 有点儿 有一点 有人 有时 有时候
要 想 会 能 可 该 可以 能够 可能 应该 应当 需要 必须 想要 愿意 能否 可否
请 请问 麻烦 帮 帮我 帮忙 帮帮 给 给我 让 一下 告诉 告诉我 记得 记住 还记得 知道 说说 讲讲 看看 想想 谢谢 多谢 你好 您好 再见
对不起 不好意思 来 去
这 那 这些 那些 这个 那个 这里 那里 这儿 那儿 这种 那种 这样 那样 这么 那么 这边 那边 这次 那次 某个 某些 每个 各种 个
非常 十分 特别 比较 已经 曾经 一直 总是 经常 常常 一般 通常 平时 刚刚 刚才 马上 立刻 现在 目前 如今 最近 其实 确实 真的
几乎 大概 差不多 一些 一样 一定 一起 一共 起来
但 但是 可是 然而 而 而且 并且 和 与 或 或者 以及 及 跟 因为 由于 所以 因此 如果 要是 假如 虽然 即使 除了 要么
关于 对于 根据 按照 为了 把 被 从 向 以 为 对 则 且 若 于是 然后 后来 之前 之后 以前 以后 认为 以为 觉得
`

// hanKeptWords are words that hold a character of hanStopWords which does not cut there.
// Of a word only the part around that character need be listed.
const hanKeptWords = `
自我 迷你 吉他 他人 马耳他 维他命 人们 哥们 姐们
目的 的士 的确 打的 标的 了解 了断 了结 了不起 终了 着急 着手 着装 着火 着凉 着陆 着重 睡着 执着 沉着 衣着 附着
过敏 过程 过年 过节 过期 过户 过滤 过夜 过度 过量 过境 过错 经过 超过 通过 路过 过去 难过 错过 度过 罪过 过渡 过世 过关
酒吧 网吧 吧台 贴吧 氧吧 吗啡 呢绒 毛呢 呢子 喇嘛
国是 是非 存在 在线 在校 在职 在读 在意 在乎 内在 外在 潜在 实在 在座 好在 所在
有限 有机 有效 有关 有趣 有利 有害 有毒 有名 有益 有缘 有序 有色 有线 有氧 有轨 有声 有意 有力 所有 拥有 富有 占有 国有 私有 享有
具有 稀有 固有 有点心 原有
没收 淹没 沉没 出没 吞没 没落 不错 不同 不锈 不动产 不孕 不足 不满 不安 不幸 不良 不育 不明 不适 不利 不平 不便 不丹 告别 特别行政
别墅 性别 区别 级别 类别 识别 分别 离别 个别 别克
也门 首都 成都 都市 京都 都江堰 古都 都匀 于都 丰都 花都 新都 都柏林 大都会 都城 迁都 国都 建都
就业 就医 就诊 就职 就读 就学 就任 就餐 就寝 就地 成就 造就 将就
人才 天才 才能 才华 口才 才艺 奇才 秀才 才子 才女 成才 育才 英才 才智 奴才
归还 还款 还钱 还价 偿还 还原 退还 还贷 生还 还债 还书 交还 往还
太阳 太阳能 太太 太空 太原 太极 太子 太湖 亚太 太平 太平洋 犹太 渥太华 太仓 太白 太古 太监 太后 太行 太康
最终 更新 更改 更换 变更 更衣 更年期 再生 再婚 再版 挺拔
船只 只身 个人 个性 个体 个子 个税 个头 个股 个位 个案 个展
重要 主要 要求 要点 要素 纲要 摘要 概要 纪要 必要 要命 简要 要塞 要紧 索要 紧要 要害 首要 次要 要价
思想 理想 梦想 想法 幻想 联想 设想 想象 想念 想像 回想 猜想 料想 妄想 构想 空想 感想
会议 开会 社会 机会 工会 会员 学会 约会 聚会 晚会 音乐会 宴会 会计 委员会 大会 博览会 运动会 演唱会 教会 年会 例会 面会 周会 早会 协会
议会 国会 会所 会馆 会场 会展 酒会 展会 峰会 省会 会见 会谈 会面 会话 会客 会诊 会考 会试 会长 会费 商会 误会 体会 领会 集会 班会 家长会
座谈会 研讨会 发布会 招聘会 庙会 舞会 茶话会 董事会 股东会 校友会 同学会 都会 会晤 会合 会师 会计师 盛会 分会 总会 晨会 站会 组会
奥运会 亚运会 世博会 读书会 交流会 见面会 拜会 会战 会餐 会意 会儿
能力 能量 能源 性能 功能 智能 技能 职能 节能 核能 产能 机能 潜能 能耗 能手 全能 万能 电能 热能 动能 体能 效能 能级 能干 风能
可乐 可爱 可口 可可 可靠 可怜 许可 认可 可惜 可怕 可疑 可笑 可行 可持续 可视 可颂 可观 可贵 可恶 可信 可选 可见
活该 该死
申请 邀请 请假 请客 聘请 请求 请教 请柬 请帖 宴请 请愿 请示 提请
帮助 帮手 帮派 丐帮 帮厨 帮扶 给力 供给 补给 给水 自给 给予 转让 出让 让步 让位 割让
刹那 那不勒斯 几何 茶几 几率 几内亚
和平 和尚 和谐 共和 和解 温和 饱和 柔和 和面 和服 和牛 和田 呼和浩特 泰和 暖和 祥和 和睦 调和 缓和 和约 总和 平和 和县 仁和 颐和园 和声
但愿 而立 参与 给与 与会 及格 及时 埃及 普及 涉及 波及 危及 及第 跟踪 跟随 跟进 高跟 跟团 脚跟 跟班
方向 倾向 向日葵 向导 导向 定向 志向 取向 动向 意向 航向 向量 双向 单向 方向盘 流向 风向
行为 华为 成为 作为 人为 为难 称为 为人 为首 视为 变为 分为 改为 转为 设为
把手 把握 火把 把关 把戏 把柄 拖把 车把 被子 棉被 被告 被窝 被褥 被动 植被 羽绒被 被单 被套 被罩
从事 服从 从业 从政 从军 随从 从小 从头 侍从 听从
以色列 以来 以上 以下 以内 以外 难以 予以 加以 足以 得以
对象 对手 对方 对方向 对面 对待 对比 对话 反对 绝对 相对 面对 配对 对联 对接 针对 应对 对策 对外 对立 对称 派对 对抗 对冲 校对 核对 对账 对答
未来 来自 原来 本来 外来 来源 马来 来信 来电 来访 往来 来宾 近来 历来 来历 将来 带来 看来 进来 出来 下来 上来 回来 过来 如来
去世 去年 失去 去除 去掉 出去 回去 进去 下去 上去 去留 去向 去皮 去污
其中 土耳其 其余 莫名其妙 尤其 之间 之一 总之 规则 原则 法则 细则 守则 准则 若干 般若 而今 么么
大家庭 大家族 老人家 小时候 可能性 经常性 需要量 根据地 维也纳 热那亚 马其顿 林则徐 武则天 迦太基 都督 都统 宜都 义和团
亲和力 维和 附和 郑和 和谈 永和 本能 官能团 水能 再现 挺进 太庙 太郎 太守 太医 太师 老太婆 老太爷 过分 过剩 过人 来回 归来
派别 鉴别 辨别 敌对 对岸 对口 对付 对峙 别名 别扭 更替 向阳 纵向 横向 面向 趋向 偏向 走向 转向 通向 指向 在场 在位 在建 持有 兼有
有权 有理 有罪 有功 公有制 特有种 理会 会址 会审 会同 相会 闭会 不朽 不屈 不祥 没事 身着 被捕 被俘 要道 险要 要冲 从容 从属 从前 遵从
可比 透过 作对
`

// hanWord is a listed word; stop tells whether it cuts.
type hanWord struct {
	word string
	stop bool
}

// hanWords holds the listed words by their first character, the longest first. A word in
// both lists cuts.
var hanWords = buildHanWords()

func buildHanWords() map[rune][]hanWord {
	index := make(map[rune][]hanWord)
	add := func(list string, stop bool) {
		for _, w := range strings.Fields(list) {
			first, _ := utf8.DecodeRuneInString(w)
			index[first] = append(index[first], hanWord{word: w, stop: stop})
		}
	}
	add(hanStopWords, true)
	add(hanKeptWords, false)
	for _, words := range index {
		slices.SortStableFunc(words, func(a, b hanWord) int { return cmp.Compare(len(b.word), len(a.word)) })
	}
	return index
}

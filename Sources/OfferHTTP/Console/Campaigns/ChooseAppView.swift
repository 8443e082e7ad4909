/// The apps to choose from, for the template `choose-app`.
struct ChooseAppView: PageView {
    static let template = "choose-app"

    let title: String
    let apps: [LinkView]
}

extension Console {
    /// The pages, with their frames, and the parts of pages that a script asks for.
    static var pages: [any PageView.Type] {
        [
            FrameView.self, AloneView.self, ProblemView.self, SignInView.self, SessionsView.self, OverviewView.self,
            KeysView.self,
            KeyChangeView.self, AccessView.self, AccessRevokeView.self, AuditView.self, ChooseAppView.self, CampaignListView.self,
            EditorView.self, ReachView.self, CampaignReviewView.self, CampaignConfirmView.self, CampaignTestersView.self,
            CampaignHistoryView.self, SegmentListView.self, SegmentView.self, ResultsView.self, CatalogueView.self,
            TrialView.self, EventsView.self, EventView.self,
        ]
    }
}

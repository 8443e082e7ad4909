extension Operation {
    /// All operations, in the order of the document.
    static let all: [Operation] = [
        .issueNonces, .signOffers, .signIntroductoryOffers, .checkEligibility, .getOffers, .verifySignature,
        .addTransactions, .addReceipt, .refreshHistory, .getCustomer, .eraseCustomer, .getCustomerTimeline,
        .exportCustomer, .bindTransaction, .unbindTransaction, .mergeCustomers, .stateConsumptionConsent,
        .receiveNotification, .answerRetentionRequest, .listSigningKeys, .stageSigningKey, .getSigningKey,
        .activateSigningKey, .rollBackSigningKey, .revokeSigningKey, .withdrawKeyChange, .listAccessKeys,
        .createAccessKey, .getAccessKey, .revokeAccessKey, .listApps, .getCatalogue, .listReplicas, .listCampaigns,
        .createCampaign, .getCampaign, .saveCampaignDraft, .submitCampaign, .discardCampaignDraft, .approveCampaign,
        .rejectCampaign, .publishCampaign, .pauseCampaign, .resumeCampaign, .endCampaign, .archiveCampaign,
        .unarchiveCampaign, .addCampaignNote, .rollBackCampaign, .listCampaignRevisions, .listCampaignActivity,
        .compareCampaignRevisions, .getCampaignTesters, .setCampaignTesters, .listSegments, .getSegment, .setSegment,
        .removeSegment, .countAudience, .tryCustomer, .getCampaignResults, .exportAssignments, .listAuditRows,
        .getAuditHead, .verifyAudit, .listEvents, .listEventEndpoints, .testEventEndpoint, .enableEventEndpoint,
        .getEvent, .replayEvent, .getLiveness, .getReadiness, .getMetrics, .getOpenAPI, .getRoot, .getDocs, .getDocsPage,
    ]
}

extension NamedSchema {
    /// All forms with a name.
    static let all: [NamedSchema] = [
        .problem, .problemField, .nonceRequest, .nonceAnswer, .issuedNonce, .signatureRequest, .offerToSign,
        .signatureAnswer, .signatureResult, .choosingCampaign, .payloadSignature, .jwsSignature, .refusedOffer,
        .advice, .introductoryOfferRequest, .introductoryOfferToSign, .introductoryOfferAnswer,
        .introductoryOfferResult, .introductoryOfferSignature, .unneededIntroductoryOffer, .refusedIntroductoryOffer,
        .eligibilityRequest, .eligibilityAnswer, .productEligibility, .subscription, .introductoryOfferEligibility,
        .promotionalOfferEligibility, .reasons, .reason, .evidence, .offersRequest, .offersAnswer, .givenOffer,
        .introductoryDecision, .assignment, .transactionsRequest, .receiptRequest, .verifiedReceipt, .refreshRequest,
        .historyReport,
        .rejectedHistory, .bindingRequest, .mergeRequest, .consentRequest, .consentAnswer, .bindingAnswer,
        .notification, .notificationAnswer, .retentionRequest, .retentionAnswer, .verifyRequest, .verifyAnswer,
        .validSignature, .invalidSignature, .finding, .liveness, .ready, .notReady, .check, .passedCheck, .checkName,
        .keyInApp, .signingKey, .pendingKeyChange, .signingKeys, .stagedSigningKey, .keyDecisionRequest,
        .keyRevocationRequest, .keyChanges, .pendingKeyChangeId, .withdrawal, .accessKey, .createdAccessKey, .accessKeys,
        .accessKeyRequest, .app, .apps, .replicas, .replica, .catalogueOffer, .catalogueMonthlyPlan, .catalogueProduct,
        .cataloguePrice,
        .catalogue, .auditRow, .auditRows, .auditHead, .auditVerdict, .limitEvidence, .offerLimits, .lastStatement,
        .subscriptionFacts, .commitment, .introductoryUse, .introductorySummary, .purchaseSummary, .redemptionSignature,
        .redemption, .redemptions, .refund, .refunds, .customerPurchase, .customerLinks, .unrecognisedValue,
        .customerFacts, .customerEvent, .customerTimeline, .customerExport, .remainder, .customerErasure,
        .campaignOffer, .campaignIntroductoryOffer, .campaignSwitch, .campaignIntroductory, .campaignVariant, .campaignSchedule,
        .campaignLimits,
        .campaignGoal, .condition, .campaign,
        .campaignLine, .campaignFigures, .campaigns, .campaignDraft, .campaignRevision, .campaignRevisions,
        .campaignActivity, .campaignActivities, .campaignFinding, .managedCampaign, .campaignDiff,
        .campaignStepRequest, .campaignNote, .campaignApproval, .campaignRollback, .reachRequest, .sampledCustomer,
        .reachCondition, .reach, .reachProgress, .reachAsking, .reachForecast, .trialRequest, .triedChoice,
        .triedOffer, .triedAssignment, .triedObstacle, .triedCondition, .triedUnit, .triedBucket, .triedBuckets,
        .triedCampaign, .trialEligibility, .trialAnswer, .conversion, .countingProgress, .countingAnswer,
        .revenueEstimate, .variantResults, .revenueReport, .revenueSpan, .revenueLine, .revenueFigure,
        .pairResults, .holdoutResults, .segmentResults, .campaignResults, .exportedAssignment, .campaignTester,
        .keptCampaignTester,
        .campaignTestersRequest, .rehearsal, .campaignTesters, .campaignAnalysis, .segmentCopy, .segmentRequest,
        .segmentLine, .segmentUse, .segments, .segment, .eventAttempt, .eventDelivery, .eventDeliveries,
        .eventDeliveryDetail, .eventEndpoint, .eventEndpoints, .eventReplay, .eventTest, .eventEndpointEnabled,
        .environment,
    ]
}

extension SharedProblem {
    /// All answers that operations share.
    static let all: [SharedProblem] = [
        .badRequest, .unauthorized, .userUnauthorized, .forbidden, .unknownApp, .unknownProduct, .unknownOffer,
        .offersConflict, .boundToAnotherCustomer, .bodyTooLarge, .largeBodyTooLarge, .documentTooLarge,
        .cannotSignOffers, .cannotSignIntroductoryOffers, .signedDataRefused, .refusedByAppStore, .receiptRefused,
        .rateLimited, .internalError, .notReady, .appStoreNotReady, .malformedNotification, .notAuthentic,
        .malformedRetentionRequest, .retentionNotAuthentic, .retentionBodyTooLarge, .unknownAppOfNotification,
        .notFound, .methodNotAllowed, .malformedRequest, .transferCodingUnknown, .unknownKey, .unknownProposal,
        .unknownEvent, .unknownEndpoint, .unknownAccessKey, .keyConflict, .keyFolderReadOnly, .unusableKey,
        .unknownCustomer, .unknownCampaign, .campaignExists, .campaignConflict, .changedMeanwhile, .invalidCampaign,
        .preconditionRequired, .nothingPublished, .invalidTesters, .unknownSegment, .segmentInUse, .invalidSegment,
    ]
}

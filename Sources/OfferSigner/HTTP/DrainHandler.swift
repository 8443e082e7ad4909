import NIOCore
import NIOExtras

/// Gives busy connections a moment to hear of the shutdown before idle ones are closed.
///
/// Without it a request that is on its way when the service stops meets a closed connection. With it the next answer says
/// `Connection: close`, and only connections on which nothing came are closed silently.
final class DrainHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private static let delay = TimeAmount.milliseconds(400)

    private let service: EndpointService

    init(service: EndpointService) { self.service = service }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        service.startDraining()
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.value.eventLoop.scheduleTask(in: DrainHandler.delay) {
            context.value.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}

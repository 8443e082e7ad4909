/// What a notification says of a refund, beyond the transaction within.
package enum RefundNotice {
    /// Some of the seats were refunded, and the transaction stays valid.
    case ofSeats
    /// The refund was reversed, under whichever id of the purchase it was made.
    case reversal
}

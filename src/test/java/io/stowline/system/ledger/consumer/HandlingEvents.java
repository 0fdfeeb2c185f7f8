package io.stowline.system.ledger.consumer;

/** The receiver of what the handlers of a consumer do, and of what the consumer reports. Thread-safe. */
interface HandlingEvents {

    /**
     * Records that a consumer began an operation at this time of {@link System#nanoTime}, and received the response to
     * this request of it.
     */
    void received(String requestId, long begun);

    /** Records that a handler begins with a delivery. */
    void begins(int consumer, String message, long delivery);

    /** Records that a handler has done its work. */
    void handles(String message);

    /** Records that a handler is interrupted: its message is lost, or its consumer ends. */
    void interrupted();

    /**
     * Records a consumer's report of the end of the delivery with which its handler has begun, or of one that no
     * handler had.
     */
    void ends(DeliveryReport report);

    /** Records a consumer's report about the delivery that it names. */
    void reports(DeliveryReport report);
}

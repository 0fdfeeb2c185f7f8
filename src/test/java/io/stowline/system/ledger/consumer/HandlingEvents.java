package io.stowline.system.ledger.consumer;

/** The receiver of what the handlers of a consumer do, and of what the consumer reports. Thread-safe. */
interface HandlingEvents {

    /** A consumer has begun an operation at this time of {@link System#nanoTime}, and has received the response to this request of it. */
    void received(String requestId, long begun);

    /** A handler begins with a delivery. */
    void begins(int consumer, String message, long delivery);

    /** A handler has done its work. */
    void handles(String message);

    /** A handler is interrupted: its message is lost, or its consumer ends. */
    void interrupted();

    /** A consumer reports the end of the delivery with which its handler has begun, or of one that no handler had. */
    void ends(DeliveryReport report);

    /** A consumer reports something about the delivery that the report names. */
    void reports(DeliveryReport report);
}

package io.stowline.examples.registrations;

/** Brings confirmations to runners. Thread-safe. */
@FunctionalInterface
interface ConfirmationMail {

    /** Sends a confirmation; if this throws, it is tried again later. */
    void send(Confirmation confirmation);
}

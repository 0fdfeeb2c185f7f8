package io.stowline.examples.registrations;

/** A mail service that brings confirmations to runners. Thread-safe. */
@FunctionalInterface
interface ConfirmationMail {

    /** Sends a confirmation; if this throws, it is tried again later. */
    void send(Confirmation confirmation);
}

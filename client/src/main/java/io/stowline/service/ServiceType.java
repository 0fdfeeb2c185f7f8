package io.stowline.service;

/** The services of an account, each of which has CORS rules and other properties. */
public enum ServiceType {
    /** The tables. */
    TABLE,
    /** The queues. */
    QUEUE,
    /** The containers and blobs. */
    BLOB
}

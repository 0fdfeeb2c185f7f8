package io.stowline.testkit;

/** One of the three services of a storage account, each at a separate endpoint. */
public enum StorageService {
    /** The blob service: answers errors in XML. */
    BLOB,
    /** The queue service: answers errors in XML. */
    QUEUE,
    /** The table service: answers errors in JSON. */
    TABLE
}

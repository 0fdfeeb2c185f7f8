package io.stowline.testkit;

/** One of the three services of a storage account, each at a separate endpoint. */
public enum StorageService {
    /** The blob service, with errors in XML. */
    BLOB,
    /** The queue service, with errors in XML. */
    QUEUE,
    /** The table service, with errors in JSON. */
    TABLE
}

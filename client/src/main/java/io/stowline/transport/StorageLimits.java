package io.stowline.transport;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.internal.edm.PropertyLimits;
import io.stowline.projection.internal.edm.PropertyNames;

/**
 * The limits and targets of the services that the client uses or enforces, each with its source and the date of that source.
 *
 * <p>The client refuses a request beyond a limit before it sends anything, with an error that names the thing, its size and the limit. The
 * rates are targets: above them the service responds with 503 or 500. {@link ScalabilityTargets} keeps a client below them. Stateless.
 */
public final class StorageLimits {

    // Tables

    /** The fewest characters of a table's name. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int TABLE_NAME_MIN_CHARS = 3;

    /** The most characters of a table's name. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int TABLE_NAME_MAX_CHARS = 63;

    /** The most UTF-16 characters of a partition key or row key that the client sends: 1 KiB of one-byte characters; above 512 the service decides. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int KEY_MAX_CHARS = KeyRules.MAX_CHARS;

    /** The most bytes of an entity: 1 MiB. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int ENTITY_MAX_BYTES = 1024 * 1024;

    /** The most properties of an entity beside PartitionKey, RowKey and Timestamp. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int ENTITY_MAX_PROPERTIES = PropertyLimits.MAX_PROPERTIES;

    /** The most characters of a property's name. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int PROPERTY_NAME_MAX_CHARS = PropertyNames.MAX_CHARS;

    /** The most UTF-16 characters of a string property: 64 KiB. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int STRING_MAX_CHARS = PropertyLimits.MAX_STRING_CHARS;

    /** The most bytes of a binary property: 64 KiB. Source: "Understanding the Table service data model", Microsoft Learn, copy of 2022. */
    public static final int BINARY_MAX_BYTES = PropertyLimits.MAX_BINARY_BYTES;

    /** The most operations of an entity group transaction. Source: "Performing entity group transactions", Microsoft Learn, copy of 2022. */
    public static final int TRANSACTION_MAX_OPERATIONS = 100;

    /** The most bytes of an entity group transaction's request: 4 MiB. Source: "Performing entity group transactions", Microsoft Learn, copy of 2022. */
    public static final int TRANSACTION_MAX_BYTES = 4 * 1024 * 1024;

    /** The most comparisons of a filter. Source: "Querying tables and entities", Microsoft Learn, copy of 2022. */
    public static final int QUERY_MAX_COMPARISONS = Filter.MAX_COMPARISONS;

    /** The most entities of one page of a query. Source: "Query timeout and pagination", Microsoft Learn, copy of 2022. */
    public static final int QUERY_PAGE_MAX_ENTITIES = 1_000;

    // Queues

    /** The fewest characters of a queue's name. Source: "Naming queues and metadata", Microsoft Learn. */
    public static final int QUEUE_NAME_MIN_CHARS = 3;

    /** The most characters of a queue's name. Source: "Naming queues and metadata", Microsoft Learn. */
    public static final int QUEUE_NAME_MAX_CHARS = 63;

    /** The most bytes of a message's text as it is sent: 64 KiB. Source: "Put Message", Microsoft Learn, copy of 2022. */
    public static final int MESSAGE_MAX_BYTES = 64 * 1024;

    /** The most messages of one receive or peek. Source: "Get Messages", Microsoft Learn, copy of 2022. */
    public static final int RECEIVE_MAX_MESSAGES = 32;

    /** The longest time for which a message is invisible, in days. Source: "Put Message", Microsoft Learn, copy of 2022. */
    public static final int VISIBILITY_MAX_DAYS = 7;

    // Blobs and containers

    /** The fewest characters of a container's name. Source: "Naming and referencing containers, blobs, and metadata", Microsoft Learn. */
    public static final int CONTAINER_NAME_MIN_CHARS = 3;

    /** The most characters of a container's name. Source: "Naming and referencing containers, blobs, and metadata", Microsoft Learn. */
    public static final int CONTAINER_NAME_MAX_CHARS = 63;

    /** The most characters of a blob's name. Source: "Naming and referencing containers, blobs, and metadata", Microsoft Learn. */
    public static final int BLOB_NAME_MAX_CHARS = 1_024;

    /** The most segments of a blob's name. Source: "Naming and referencing containers, blobs, and metadata", Microsoft Learn. */
    public static final int BLOB_NAME_MAX_SEGMENTS = 254;

    /** The most bytes of a blob's, container's or queue's metadata, names and values together: 8 KiB. Source: "Setting and retrieving properties and metadata", Microsoft Learn, copy of 2022. */
    public static final int METADATA_MAX_BYTES = 8 * 1024;

    /** The most blocks of a block blob. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final int BLOB_MAX_BLOCKS = 50_000;

    /** The most bytes of a block: 4,000 MiB. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final long BLOCK_MAX_BYTES = 4_000L * 1024 * 1024;

    /** The most bytes of one append: 100 MiB from service version 2022-11-02 on. Source: reference of azure-storage-blob, AppendBlobOpenWriteOptions, 2022-11-02. */
    public static final int APPEND_BLOCK_MAX_BYTES = 100 * 1024 * 1024;

    /** The bytes of a page, to which writes, clears and sizes of a page blob are aligned. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final int PAGE_BYTES = 512;

    /** The most bytes of one write of pages: 4 MiB. Source: "Put Page", Microsoft Learn, copy of 2022. */
    public static final int PAGE_WRITE_MAX_BYTES = 4 * 1024 * 1024;

    /** The most bytes of a page blob: 8 TiB. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final long PAGE_BLOB_MAX_BYTES = 8L << 40;

    /** The most bytes of a blob that the service writes from an address in one request: 256 MiB, also of a block. Source: "Put Blob From URL", Microsoft Learn. */
    public static final int COPY_MAX_SINGLE_BYTES = 256 << 20;

    // Properties of services

    /** The most CORS rules of a service. Source: "Cross-Origin Resource Sharing (CORS) support for Azure Storage", Microsoft Learn. */
    public static final int CORS_MAX_RULES = 5;

    /** The most origins of a CORS rule. Source: "Set Blob Service Properties", Microsoft Learn. */
    public static final int CORS_MAX_ORIGINS = 64;

    /** The most headers in a list of a CORS rule, beside prefixes. Source: "Cross-Origin Resource Sharing (CORS) support for Azure Storage", Microsoft Learn. */
    public static final int CORS_MAX_HEADERS = 64;

    /** The most prefixes of headers in a list of a CORS rule. Source: "Cross-Origin Resource Sharing (CORS) support for Azure Storage", Microsoft Learn. */
    public static final int CORS_MAX_HEADER_PREFIXES = 2;

    /** The most characters of an origin or header in a CORS rule. Source: "Cross-Origin Resource Sharing (CORS) support for Azure Storage", Microsoft Learn. */
    public static final int CORS_VALUE_MAX_CHARS = 256;

    /** The most bytes of all CORS rules of a service, without tags: 2 KiB. Source: "Cross-Origin Resource Sharing (CORS) support for Azure Storage", Microsoft Learn. */
    public static final int CORS_MAX_BYTES = 2 * 1024;

    /** The most days for which a service keeps deleted blobs, logs or metrics. Source: responses of the service, 2019. */
    public static final int RETENTION_MAX_DAYS = 365;

    // Scalability targets

    /** The entities, messages and requests of an account in a second, in every region. Source: "Scalability and performance targets for standard storage accounts", Microsoft Learn, 2025. */
    public static final int ACCOUNT_REQUESTS_PER_SECOND = 20_000;

    /** The entities, messages and requests of an account in a second, in the large regions. Source: "Scalability and performance targets for standard storage accounts", Microsoft Learn, 2025. */
    public static final int LARGE_REGION_ACCOUNT_REQUESTS_PER_SECOND = 40_000;

    /** The bytes that an account takes in a second in the large regions: 60 Gbps. Source: "Scalability and performance targets for standard storage accounts", Microsoft Learn, 2025. */
    public static final long LARGE_REGION_INGRESS_BYTES_PER_SECOND = 7_500_000_000L;

    /** The entities of a table's partition in a second; those that a query scans count. Source: "Scalability and performance targets for standard storage accounts", Microsoft Learn, 2025. */
    public static final int PARTITION_ENTITIES_PER_SECOND = 2_000;

    /** The messages of 1 KiB of a queue in a second. Source: "Scalability and performance targets for standard storage accounts", Microsoft Learn, 2025. */
    public static final int QUEUE_MESSAGES_PER_SECOND = 2_000;

    /** The requests to one blob in a second that hold for every kind of blob. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final int BLOB_REQUESTS_PER_SECOND = 500;

    /** The bytes of one blob in a second that hold for every kind of blob: 60 MB. Source: "Azure Storage performance and scalability checklist", Microsoft Learn, 2016 to 2019. */
    public static final long BLOB_BYTES_PER_SECOND = 60_000_000L;

    /** The requests to one block blob in a second. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final int BLOCK_BLOB_REQUESTS_PER_SECOND = 3_000;

    /** The requests to one page blob in a second. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final int PAGE_BLOB_REQUESTS_PER_SECOND = 500;

    /** The bytes of one page blob in a second: 60 MiB. Source: "Scalability and performance targets for Blob storage", Microsoft Learn, 2026-05-18. */
    public static final long PAGE_BLOB_BYTES_PER_SECOND = 60L * 1024 * 1024;

    private StorageLimits() {}
}

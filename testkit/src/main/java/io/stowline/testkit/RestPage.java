package io.stowline.testkit;

/** The pages under {@code learn.microsoft.com/rest/api/storageservices}. */
final class RestPage {

    static final String APPEND_BLOCK = "Append-Block";
    static final String BATCH = "Performing-Entity-Group-Transactions";
    static final String BLOB_ERRORS = "Blob-Service-Error-Codes";
    static final String BLOB_NAMES = "Naming-and-Referencing-Containers--Blobs--and-Metadata";
    static final String COMMON_ERRORS = "Common-REST-API-Error-Codes";
    static final String CONDITIONS = "Specifying-Conditional-Headers-for-Blob-Service-Operations";
    static final String CORS = "Cross-Origin-Resource-Sharing--CORS--Support-for-the-Azure-Storage-Services";
    static final String DELETE = "Delete-Entity1";
    static final String GET_MESSAGES = "Get-Messages";
    static final String INSERT = "Insert-Entity";
    static final String METADATA = "Setting-and-Retrieving-Properties-and-Metadata-for-Blob-Resources";
    static final String MODEL = "Understanding-the-Table-Service-Data-Model";
    static final String PAGES = "Query-Timeout-and-Pagination";
    static final String PAYLOAD = "Payload-Format-for-Table-Service-Operations";
    static final String POLICIES = "Set-Table-ACL, Set-Queue-ACL, Set-Container-ACL";
    static final String PUT_BLOB = "Put-Blob";
    static final String PUT_BLOCK = "Put-Block";
    static final String PUT_MESSAGE = "Put-Message";
    static final String PUT_PAGE = "Put-Page";
    static final String QUERYING = "Querying-Tables-and-Entities";
    static final String QUEUE_NAMES = "Naming-Queues-and-Metadata";
    static final String SAS = "create-service-sas";
    static final String SHARED_KEY = "Authorize-with-Shared-Key";
    static final String TABLE_ERRORS = "Table-Service-Error-Codes";
    static final String UPDATE_MESSAGE = "Update-Message";
    static final String VERSIONS = "Versioning-for-the-Azure-Storage-Services";

    private RestPage() {}
}

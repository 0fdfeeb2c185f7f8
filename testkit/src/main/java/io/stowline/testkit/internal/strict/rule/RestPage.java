package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.StorageService;
import java.util.Set;

/** Page under {@code learn.microsoft.com/rest/api/storageservices}, with the services whose rules it mostly states. */
public enum RestPage {
    APPEND_BLOCK("Append-Block", StorageService.BLOB),
    BATCH("Performing-Entity-Group-Transactions", StorageService.TABLE),
    BLOB_ERRORS("Blob-Service-Error-Codes", StorageService.BLOB),
    BLOB_NAMES("Naming-and-Referencing-Containers--Blobs--and-Metadata", StorageService.BLOB),
    COMMON_ERRORS("Common-REST-API-Error-Codes"),
    CONDITIONS("Specifying-Conditional-Headers-for-Blob-Service-Operations", StorageService.BLOB),
    COPY("Copy-Blob", StorageService.BLOB),
    CORS("Cross-Origin-Resource-Sharing--CORS--Support-for-the-Azure-Storage-Services"),
    DELETE("Delete-Entity1", StorageService.TABLE),
    GET_MESSAGES("Get-Messages", StorageService.QUEUE),
    INSERT("Insert-Entity", StorageService.TABLE),
    METADATA("Setting-and-Retrieving-Properties-and-Metadata-for-Blob-Resources", StorageService.BLOB),
    MODEL("Understanding-the-Table-Service-Data-Model", StorageService.TABLE),
    PAGES("Query-Timeout-and-Pagination", StorageService.TABLE),
    PAYLOAD("Payload-Format-for-Table-Service-Operations", StorageService.TABLE),
    POLICIES("Set-Table-ACL, Set-Queue-ACL, Set-Container-ACL"),
    PUT_BLOB("Put-Blob", StorageService.BLOB),
    PUT_BLOCK("Put-Block", StorageService.BLOB),
    PUT_BLOCK_FROM_URL("Put-Block-From-URL", StorageService.BLOB),
    PUT_MESSAGE("Put-Message", StorageService.QUEUE),
    PUT_PAGE("Put-Page", StorageService.BLOB),
    QUERYING("Querying-Tables-and-Entities", StorageService.TABLE),
    QUEUE_NAMES("Naming-Queues-and-Metadata", StorageService.QUEUE),
    SAS("create-service-sas", StorageService.TABLE),
    SERVICE_PROPERTIES("Set-Blob-Service-Properties, Set-Queue-Service-Properties, Set-Table-Service-Properties"),
    SHARED_KEY("Authorize-with-Shared-Key"),
    TABLE_ERRORS("Table-Service-Error-Codes", StorageService.TABLE),
    UPDATE_MESSAGE("Update-Message", StorageService.QUEUE),
    VERSIONS("Versioning-for-the-Azure-Storage-Services");

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable copy
    private final Set<StorageService> services;

    RestPage(String title, StorageService... services) {
        this.title = title;
        this.services = Set.of(services.length == 0 ? StorageService.values() : services);
    }

    public String title() {
        return title;
    }

    public Set<StorageService> services() {
        return services;
    }
}

package io.stowline.testkit;

import static io.stowline.testkit.StorageService.BLOB;
import static io.stowline.testkit.StorageService.QUEUE;
import static io.stowline.testkit.StorageService.TABLE;

import io.stowline.testkit.internal.strict.rule.RestPage;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rules of {@link StrictMode}: requests that the real services refuse, with the status and the error code.
 *
 * <p>Each rule rests on a page of the REST reference, or on observed responses of the live service; without either
 * there is no rule. Immutable.
 */
@SuppressWarnings("ImmutableEnumChecker") // unmodifiable copies and records
public enum StrictRule {
    /** Operations on two partition keys in one transaction. */
    BATCH_PARTITIONS(
            observed(400, "CommandsInBatchActOnDifferentPartitions"),
            RestPage.BATCH,
            "operations on two partition keys in one transaction"),
    /** Operations on two tables in one transaction. */
    BATCH_TABLES(
            general(400, "CommandsInBatchActOnDifferentPartitions"),
            RestPage.BATCH,
            "operations on two tables in one transaction"),
    /** Refuses more than 100 operations in one transaction. */
    BATCH_OPERATIONS(documented(400, "InvalidInput"), RestPage.BATCH, "more than 100 operations in one transaction"),
    /** A transaction of more than 4 MiB. */
    BATCH_SIZE(observed(413, "RequestBodyTooLarge"), RestPage.BATCH, "a transaction of more than 4 MiB"),
    /** One entity twice in one transaction. */
    BATCH_DUPLICATE(documented(400, "InvalidDuplicateRow"), RestPage.BATCH, "one entity twice in one transaction"),
    /** A query in a batch that holds anything else. */
    BATCH_QUERY_WITH_OTHERS(
            general(400, "InvalidInput"), RestPage.BATCH, "a query in a batch that holds anything else"),
    /** A batch without an operation. */
    BATCH_EMPTY(general(400, "InvalidInput"), RestPage.BATCH, "a batch or a change set without an operation"),
    /** A batch with two change sets. */
    BATCH_CHANGE_SETS(general(400, "InvalidInput"), RestPage.BATCH, "two change sets in one batch"),
    /** Refuses more than 252 properties beside the keys and the Timestamp. */
    PROPERTY_COUNT(
            documented(400, "TooManyProperties"),
            RestPage.MODEL,
            "more than 252 properties beside the keys and the Timestamp"),
    /** An entity of more than 1 MiB. */
    ENTITY_SIZE(documented(400, "EntityTooLarge"), RestPage.MODEL, "an entity of more than 1 MiB"),
    /** A property of more than 64 KiB. */
    PROPERTY_SIZE(
            documented(400, "PropertyValueTooLarge"),
            RestPage.MODEL,
            "a string of more than 32,768 characters, or more than 65,536 bytes in one property"),
    /** A property name that is no C# identifier. */
    PROPERTY_NAME(documented(400, "PropertyNameInvalid"), RestPage.MODEL, "a property name that is no C# identifier"),
    /** A property name of more than 255 characters. */
    PROPERTY_NAME_LENGTH(
            documented(400, "PropertyNameTooLong"), RestPage.MODEL, "a property name of more than 255 characters"),
    /** One property twice in an entity. */
    PROPERTY_TWICE(
            documented(400, "DuplicatePropertiesSpecified"), RestPage.TABLE_ERRORS, "one property twice in an entity"),
    /** An object or an array as a property. */
    PROPERTY_NESTED(general(400, "InvalidInput"), RestPage.PAYLOAD, "an object or an array as a property"),
    /** An unknown type. */
    TYPE_UNKNOWN(general(400, "InvalidInput"), RestPage.PAYLOAD, "an odata.type that is none of the eight Edm types"),
    /** An Int32 out of range. */
    INT32_RANGE(general(400, "InvalidInput"), RestPage.PAYLOAD, "an Edm.Int32 out of range"),
    /** An Int64 that is no string, or out of range. */
    INT64_VALUE(general(400, "InvalidInput"), RestPage.PAYLOAD, "an Edm.Int64 that is no string, or out of range"),
    /** A malformed Guid. */
    GUID_VALUE(general(400, "InvalidInput"), RestPage.PAYLOAD, "a malformed Edm.Guid"),
    /** A malformed DateTime. */
    DATE_TIME_VALUE(general(400, "InvalidInput"), RestPage.PAYLOAD, "a malformed Edm.DateTime, or one with an offset"),
    /** A DateTime before 1601. */
    DATE_TIME_RANGE(observed(400, "OutOfRangeInput"), RestPage.MODEL, "an Edm.DateTime before 1601-01-01"),
    /** A Binary that is no Base64. */
    BINARY_VALUE(general(400, "InvalidInput"), RestPage.PAYLOAD, "an Edm.Binary that is no Base64"),
    /** An insert without a key. */
    KEY_MISSING(documented(400, "PropertiesNeedValue"), RestPage.INSERT, "an insert without PartitionKey or RowKey"),
    /** A key that is no string. */
    KEY_TYPE(observed(400, "InvalidInput"), RestPage.INSERT, "a PartitionKey or RowKey that is no string"),
    /** A character in the body's keys that keys must not hold. */
    KEY_CHARACTERS(
            observed(400, "OutOfRangeInput"), RestPage.MODEL, "/ \\ # ? or a control character in a key of an entity"),
    /** A character in an address's keys that keys must not hold. */
    KEY_CHARACTERS_IN_ADDRESS(
            observed(400, "InvalidInput"), RestPage.MODEL, "/ \\ # ? or a control character in a key of an address"),
    /** A key of more than 1 KiB. */
    KEY_LENGTH(observed(400, "PropertyValueTooLarge"), RestPage.MODEL, "a key of more than 512 characters (1 KiB)"),
    /** A malformed address of an entity. */
    ENTITY_ADDRESS(
            observed(400, "InvalidInput"), RestPage.QUERYING, "an entity's address that does not name both keys"),
    /** A table name with other characters than letters and digits. */
    TABLE_NAME(
            observed(400, "InvalidResourceName"),
            RestPage.MODEL,
            "a new table's name with other characters than letters and digits, or a digit first"),
    /** A table name of another length than 3 to 63. */
    TABLE_NAME_LENGTH(
            observed(400, "OutOfRangeInput"),
            RestPage.MODEL,
            "a new table's name of less than 3 or more than 63 characters"),
    /** The reserved table name. */
    TABLE_NAME_RESERVED(observed(400, "InvalidInput"), RestPage.MODEL, "a new table named \"tables\""),
    /** Refuses more than 15 comparisons in a filter. */
    FILTER_COMPARISONS(general(400, "InvalidInput"), RestPage.QUERYING, "more than 15 comparisons in a filter"),
    /** A malformed constant in a filter. */
    FILTER_LITERAL(general(400, "InvalidInput"), RestPage.QUERYING, "a malformed constant in a filter"),
    /** A function or arithmetic in a filter. */
    FILTER_FUNCTION(
            documented(501, "NotImplemented"),
            RestPage.QUERYING,
            "a function such as startswith, or arithmetic, in a filter"),
    /** A page of more than 1,000 entities. */
    TOP_RANGE(general(400, "InvalidInput"), RestPage.PAGES, "a $top of more than 1,000"),
    /** Atom with a version that speaks JSON only. */
    ATOM_FORMAT(
            observed(415, "AtomFormatNotSupported"),
            RestPage.PAYLOAD,
            "Atom sent or accepted, as by a missing Accept, with version 2015-12-11 or later"),
    /** A delete without If-Match. */
    DELETE_WITHOUT_IF_MATCH(general(400, "InvalidInput"), RestPage.DELETE, "a delete of an entity without If-Match"),
    /** A write with If-None-Match. */
    WRITE_IF_NONE_MATCH(
            documented(400, "InvalidInput"),
            RestPage.TABLE_ERRORS,
            "an update, merge, upsert or delete of an entity with If-None-Match"),
    /** Refuses If-Match and If-None-Match at the same time. */
    BOTH_ETAG_CONDITIONS(
            documented(400, "InvalidInput"), RestPage.TABLE_ERRORS, "If-Match and If-None-Match at the same time"),
    /** X-HTTP-Method with another method than POST. */
    X_METHOD_WITHOUT_POST(
            documented(400, "XMethodNotUsingPost"),
            RestPage.TABLE_ERRORS,
            "X-HTTP-Method with a method other than POST"),
    /** X-HTTP-Method with an unknown value. */
    X_METHOD_VALUE(
            documented(400, "XMethodIncorrectValue"), RestPage.TABLE_ERRORS, "an X-HTTP-Method that names no method"),
    /** A write outside the range of a SAS. */
    SAS_RANGE(
            general(403, "AuthorizationFailure"),
            RestPage.SAS,
            "a write outside the range of keys of a shared access signature"),
    /** An upsert with half of the permissions. */
    SAS_UPSERT(
            general(403, "AuthorizationPermissionMismatch"),
            RestPage.SAS,
            "an upsert with a shared access signature that has one of the permissions a and u only"),
    /** A transaction without the permission that its operations need. */
    SAS_BATCH(
            general(403, "AuthorizationPermissionMismatch"),
            RestPage.SAS,
            "an operation in a transaction for which the shared access signature has no permission"),
    /** A client outside the address range of a SAS. */
    SAS_ADDRESS(
            EnumSet.allOf(StorageService.class),
            general(403, "AuthorizationSourceIPMismatch"),
            RestPage.SAS,
            "a shared access signature whose range of addresses does not hold 127.0.0.1"),
    /** A queue name with characters that it must not hold. */
    QUEUE_NAME(
            documented(400, "InvalidResourceName"),
            RestPage.QUEUE_NAMES,
            "a new queue's name with other than lower-case letters, digits and single inner dashes"),
    /** A queue name of another length than 3 to 63. */
    QUEUE_NAME_LENGTH(
            general(400, "OutOfRangeInput"),
            RestPage.QUEUE_NAMES,
            "a new queue's name of less than 3 or more than 63 characters"),
    /** A message of more than 64 KiB. */
    MESSAGE_SIZE(observed(413, "RequestBodyTooLarge"), RestPage.PUT_MESSAGE, "a message of more than 64 KiB in UTF-8"),
    /** Another number of messages than 1 to 32. */
    MESSAGE_COUNT(
            documented(400, "OutOfRangeQueryParameterValue"),
            RestPage.GET_MESSAGES,
            "a number of messages that is not 1 to 32"),
    /** A visibility time out of range. */
    VISIBILITY_RANGE(
            documented(400, "OutOfRangeQueryParameterValue"),
            RestPage.GET_MESSAGES,
            "a visibility time of more than 7 days, below 0, or 0 when receiving"),
    /** A time to live out of range. */
    TTL_RANGE(
            general(400, "InvalidQueryParameterValue"),
            RestPage.PUT_MESSAGE,
            "a time to live that is neither positive nor -1; before version 2017-07-29 one that is not 1 s to 7 days"),
    /** A visibility time that is not shorter than the time to live. */
    VISIBILITY_BEYOND_TTL(
            general(400, "InvalidQueryParameterValue"),
            RestPage.PUT_MESSAGE,
            "a message that stays invisible for its whole time to live"),
    /** An update or delete of a message without a pop receipt. */
    POP_RECEIPT_MISSING(
            documented(400, "MissingRequiredQueryParameter"),
            RestPage.UPDATE_MESSAGE,
            "an update or delete of a message without a pop receipt"),
    /** An update of a message without a visibility time. */
    VISIBILITY_MISSING(
            documented(400, "MissingRequiredQueryParameter"),
            RestPage.UPDATE_MESSAGE,
            "an update of a message without a visibility time"),
    /** A metadata name that is no C# identifier. */
    METADATA_NAME(
            EnumSet.of(BLOB, QUEUE),
            documented(400, "InvalidMetadata"),
            RestPage.BLOB_NAMES,
            "a metadata name that is no C# identifier"),
    /** A metadata name that is empty. */
    METADATA_NAME_EMPTY(
            EnumSet.of(BLOB, QUEUE),
            documented(400, "EmptyMetadataKey"),
            RestPage.COMMON_ERRORS,
            "a metadata header without a name"),
    /** Metadata of more than 8 KiB. */
    METADATA_SIZE(documented(400, "MetadataTooLarge"), RestPage.METADATA, "metadata of more than 8 KiB in all"),
    /** A range of pages that is not aligned. */
    PAGE_ALIGNMENT(
            observed(400, "InvalidHeaderValue"),
            RestPage.PUT_PAGE,
            "a range of pages that is not aligned to 512 bytes"),
    /** A write of more than 4 MiB of pages. */
    PAGE_SIZE(general(413, "RequestBodyTooLarge"), RestPage.PUT_PAGE, "a write of more than 4 MiB of pages"),
    /** A write of pages beyond the blob's end. */
    PAGE_BEYOND_BLOB(
            observed(416, "InvalidPageRange"),
            RestPage.BLOB_ERRORS,
            "a write of pages beyond the end of a blob whose size was set through the proxy"),
    /** A page blob's size that is not aligned. */
    PAGE_BLOB_LENGTH(
            observed(400, "InvalidHeaderValue"),
            RestPage.PUT_BLOB,
            "a page blob's size that is not aligned to 512 bytes"),
    /** A block id that is no Base64. */
    BLOCK_ID(documented(400, "InvalidBlockId"), RestPage.PUT_BLOCK, "a block id that is no Base64"),
    /** A block id of more than 64 bytes. */
    BLOCK_ID_LENGTH(general(400, "OutOfRangeInput"), RestPage.PUT_BLOCK, "a block id of more than 64 bytes"),
    /** A block that is too large. */
    BLOCK_SIZE(
            general(413, "RequestBodyTooLarge"),
            RestPage.PUT_BLOCK,
            "a block of more than 4000 MiB; before version 2019-12-12 100 MiB, before 2016-05-31 4 MiB"),
    /** An appended block that is too large. */
    APPEND_SIZE(
            general(413, "RequestBodyTooLarge"),
            RestPage.APPEND_BLOCK,
            "an appended block of more than 100 MiB; before version 2022-11-02 4 MiB"),
    /** Refuses more than 50,000 blocks in a list. */
    BLOCK_COUNT(documented(400, "BlockListTooLong"), RestPage.BLOB_ERRORS, "more than 50,000 blocks in a block list"),
    /** The address of a source of a copy of more than 2 KiB. */
    COPY_SOURCE_LENGTH(
            general(400, "InvalidHeaderValue"), RestPage.COPY, "a source of a copy whose address is longer than 2 KiB"),
    /** A body beside the source of a copy. */
    COPY_BODY(
            general(400, "InvalidHeaderValue"),
            RestPage.PUT_BLOCK_FROM_URL,
            "a body in a request whose content is read from another address"),
    /** A container name with characters that it must not hold. */
    CONTAINER_NAME(
            documented(400, "InvalidResourceName"),
            RestPage.BLOB_NAMES,
            "a new container's name with other than lower-case letters, digits and single inner dashes"),
    /** A container name of another length than 3 to 63. */
    CONTAINER_NAME_LENGTH(
            general(400, "OutOfRangeInput"),
            RestPage.BLOB_NAMES,
            "a new container's name of less than 3 or more than 63 characters"),
    /** A blob name of more than 1,024 characters. */
    BLOB_NAME_LENGTH(
            general(400, "OutOfRangeInput"), RestPage.BLOB_NAMES, "a new blob's name of more than 1,024 characters"),
    /** A blob name of more than 254 segments. */
    BLOB_NAME_SEGMENTS(
            general(400, "InvalidUri"), RestPage.BLOB_NAMES, "a new blob's name of more than 254 path segments"),
    /** A blob name with a character that is not supported. */
    BLOB_NAME_CHARACTERS(
            general(400, "InvalidUri"),
            RestPage.BLOB_NAMES,
            "a new blob's name with a character of the page's list, such as U+0085 or U+FFFE"),
    /** Several conditions on a write. */
    BLOB_CONDITIONS(
            documented(400, "MultipleConditionHeadersNotSupported"),
            RestPage.CONDITIONS,
            "a write with more than one condition header, but for the two pairs that go together"),
    /** Several ETags in one condition of a write. */
    BLOB_ETAGS(
            general(400, "MultipleConditionHeadersNotSupported"),
            RestPage.CONDITIONS,
            "a write with several ETags in one condition"),
    /** Two checksums of one body. */
    CHECKSUMS(general(400, "InvalidHeaderValue"), RestPage.PUT_BLOCK, "both Content-MD5 and x-ms-content-crc64"),
    /** Refuses more than five CORS rules. */
    CORS_RULES(observed(400, "InvalidXmlDocument"), RestPage.CORS, "more than 5 CORS rules"),
    /** CORS rules of more than 2 KiB. */
    CORS_SIZE(general(400, "InvalidXmlNodeValue"), RestPage.CORS, "CORS rules of more than 2 KiB without their tags"),
    /** A long header or origin in a CORS rule. */
    CORS_LENGTH(
            general(400, "InvalidXmlNodeValue"),
            RestPage.CORS,
            "a header or origin of more than 256 characters in a CORS rule"),
    /** Too many headers in a CORS rule. */
    CORS_HEADERS(
            general(400, "InvalidXmlNodeValue"),
            RestPage.CORS,
            "more than 64 literal or 2 prefixed headers in a list of a CORS rule"),
    /** An unknown method in a CORS rule. */
    CORS_METHOD(
            general(400, "InvalidXmlNodeValue"), RestPage.CORS, "a method in a CORS rule that storage does not know"),
    /** Retention of another number of days than 1 to 365. */
    RETENTION_DAYS(
            observed(400, "InvalidXmlDocument"),
            RestPage.SERVICE_PROPERTIES,
            "a retention of deleted blobs, logs or metrics that is not 1 to 365 days"),
    /** A page of a static website that is off. */
    STATIC_WEBSITE(
            EnumSet.of(BLOB),
            observed(400, "InvalidXmlDocument"),
            RestPage.SERVICE_PROPERTIES,
            "an index document of a static website that is off"),
    /** Refuses more than five stored access policies. */
    ACCESS_POLICIES(
            general(400, "InvalidXmlDocument"),
            RestPage.POLICIES,
            "more than 5 stored access policies on a table, queue or container"),
    /** A stored access policy with a long identifier. */
    ACCESS_POLICY_ID(
            general(400, "InvalidXmlDocument"),
            RestPage.POLICIES,
            "a stored access policy whose identifier has more than 64 characters"),
    /** A request date that is off. */
    DATE_SKEW(
            documented(403, "AuthenticationFailed"),
            RestPage.SHARED_KEY,
            "a signed request whose date is more than 15 minutes off the service's clock"),
    /** A signed request without a date. */
    DATE_MISSING(
            general(403, "AuthenticationFailed"), RestPage.SHARED_KEY, "a signed request without Date and x-ms-date"),
    /** A signed request without a version. */
    VERSION_MISSING(
            EnumSet.of(TABLE, QUEUE),
            general(400, "MissingRequiredHeader"),
            RestPage.VERSIONS,
            "a signed request to a table or queue without x-ms-version");

    private final Set<StorageService> services;

    private final Refusal refusal;
    private final RestPage page;
    private final String words;

    StrictRule(Refusal refusal, RestPage page, String words) {
        this(page.services(), refusal, page, words);
    }

    StrictRule(Set<StorageService> services, Refusal refusal, RestPage page, String words) {
        this.services = Set.copyOf(services);
        this.refusal = refusal;
        this.page = page;
        this.words = words;
    }

    /**
     * Returns the services that have the rule.
     *
     * @return at least one
     */
    public Set<StorageService> services() {
        return services;
    }

    /**
     * Returns what is refused.
     *
     * @return words such as {@code one entity twice in one transaction}
     */
    public String refuses() {
        return words;
    }

    /**
     * Returns the status of the refusal; inside a transaction that of the operation, while the response itself is 202.
     *
     * @return 400 to 501
     */
    public int status() {
        return refusal.status;
    }

    /**
     * Returns the error code of the refusal.
     *
     * @return such as {@code InvalidDuplicateRow}
     */
    public String code() {
        return refusal.code;
    }

    /**
     * Returns whether the error code is known.
     *
     * @return {@code false} when only the refusal is known, and the code is the service's general one for such an error
     */
    public boolean isCodeKnown() {
        return refusal.evidence != RefusalEvidence.GENERAL;
    }

    /**
     * Returns where the fact comes from.
     *
     * @return the name of a page of the REST reference for storage services, and whether the code was seen on the live service
     */
    public String source() {
        return refusal.evidence == RefusalEvidence.OBSERVED
                ? page.title() + "; code as seen on the live service"
                : page.title();
    }

    private static Refusal documented(int status, String code) {
        return new Refusal(status, code, RefusalEvidence.DOCUMENTED);
    }

    private static Refusal observed(int status, String code) {
        return new Refusal(status, code, RefusalEvidence.OBSERVED);
    }

    private static Refusal general(int status, String code) {
        return new Refusal(status, code, RefusalEvidence.GENERAL);
    }

    private record Refusal(int status, String code, RefusalEvidence evidence) {}

    private enum RefusalEvidence {
        DOCUMENTED,
        OBSERVED,
        GENERAL
    }
}

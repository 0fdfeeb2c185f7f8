package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import java.util.Base64;
import java.util.List;

/** The samples of the rules of blobs. */
final class BlobSamples {

    static final String CONTAINER = "strict";
    private static final int MIB = 1024 * 1024;
    private static final String BLOCK_BLOB = "/" + CONTAINER + "/block";
    private static final String PAGE_BLOB = "/" + CONTAINER + "/page";
    private static final String APPEND_BLOB = "/" + CONTAINER + "/append";

    private BlobSamples() {}

    static List<StrictProbe> setup() {
        return List.of(
                StrictProbe.blob("PUT", "/" + CONTAINER + "?restype=container"),
                blockBlob("/" + CONTAINER + "/block"),
                pageBlob(8 * MIB),
                StrictProbe.blob("PUT", APPEND_BLOB).header("x-ms-blob-type", "AppendBlob"));
    }

    static List<StrictSample> all() {
        return List.of(
                new StrictSample(
                        StrictRule.METADATA_NAME,
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-with-dash", "1"),
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-with_underscore", "1")),
                new StrictSample(
                        StrictRule.METADATA_NAME_EMPTY,
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-", "1"),
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-a", "1")),
                new StrictSample(
                        StrictRule.METADATA_SIZE,
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-a", "v".repeat(8192)),
                        blockBlob(BLOCK_BLOB).header("x-ms-meta-a", "v".repeat(8191))),
                new StrictSample(StrictRule.PAGE_ALIGNMENT, pages(0, 511), pages(512, 512)),
                new StrictSample(StrictRule.PAGE_SIZE, pages(0, 4 * MIB + 512), pages(0, 4 * MIB)),
                new StrictSample(StrictRule.PAGE_BEYOND_BLOB, pages(8 * MIB, 512), pages(8 * MIB - 512, 512)),
                new StrictSample(StrictRule.PAGE_BLOB_LENGTH, pageBlob(8 * MIB + 1), pageBlob(8 * MIB)),
                new StrictSample(StrictRule.BLOCK_ID, block("AAA"), block("AAAA")),
                new StrictSample(StrictRule.BLOCK_ID_LENGTH, block(id(65)), block(id(64))),
                new StrictSample(StrictRule.BLOCK_SIZE, oldBlock(4 * MIB + 1), oldBlock(4 * MIB)),
                new StrictSample(StrictRule.APPEND_SIZE, oldAppend(4 * MIB + 1), oldAppend(4 * MIB)),
                new StrictSample(StrictRule.BLOCK_COUNT, blocks(50_001), blocks(50_000)),
                new StrictSample(StrictRule.COPY_SOURCE_LENGTH, copy(2_049), copy(2_048)),
                new StrictSample(StrictRule.COPY_BODY, copied(1), copied(0)),
                new StrictSample(
                        StrictRule.CONTAINER_NAME,
                        StrictProbe.blob("PUT", "/Upper?restype=container"),
                        StrictProbe.blob("PUT", "/lower?restype=container")),
                new StrictSample(
                        StrictRule.CONTAINER_NAME_LENGTH,
                        StrictProbe.blob("PUT", "/" + "c".repeat(64) + "?restype=container"),
                        StrictProbe.blob("PUT", "/" + "c".repeat(63) + "?restype=container")),
                new StrictSample(
                        StrictRule.BLOB_NAME_LENGTH,
                        blockBlob("/strict/" + "n".repeat(1025)),
                        blockBlob("/strict/" + "n".repeat(1024))),
                new StrictSample(
                        StrictRule.BLOB_NAME_SEGMENTS,
                        blockBlob("/strict/n" + "/n".repeat(254)),
                        blockBlob("/strict/n" + "/n".repeat(253))),
                new StrictSample(
                        StrictRule.BLOB_NAME_CHARACTERS,
                        blockBlob("/strict/a%EF%BF%BE"),
                        blockBlob("/strict/%F0%9F%98%80%C3%A9")),
                new StrictSample(
                        StrictRule.BLOB_CONDITIONS,
                        blockBlob(BLOCK_BLOB).header("If-Match", "*").header("If-None-Match", "\"0x1\""),
                        blockBlob(BLOCK_BLOB)
                                .header("If-Match", "*")
                                .header("If-Unmodified-Since", "Wed, 21 Nov 2096 00:00:00 GMT")),
                new StrictSample(
                        StrictRule.BLOB_ETAGS,
                        blockBlob(BLOCK_BLOB).header("If-None-Match", "\"0x1\", \"0x2\""),
                        blockBlob(BLOCK_BLOB).header("If-None-Match", "\"0x1,0x2\"")),
                new StrictSample(
                        StrictRule.CHECKSUMS,
                        blockBlob(BLOCK_BLOB)
                                .header("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")
                                .header("x-ms-content-crc64", "AAAAAAAAAAA="),
                        blockBlob(BLOCK_BLOB).header("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")));
    }

    private static StrictProbe blockBlob(String path) {
        return StrictProbe.blob("PUT", path).header("x-ms-blob-type", "BlockBlob");
    }

    private static StrictProbe pageBlob(int length) {
        return StrictProbe.blob("PUT", PAGE_BLOB)
                .header("x-ms-blob-type", "PageBlob")
                .header("x-ms-blob-content-length", Integer.toString(length));
    }

    private static StrictProbe pages(int from, int length) {
        return StrictProbe.blob("PUT", PAGE_BLOB + "?comp=page")
                .header("x-ms-page-write", "update")
                .header("x-ms-range", "bytes=" + from + "-" + (from + length - 1))
                .body(new byte[length]);
    }

    private static String id(int length) {
        return Base64.getEncoder().encodeToString(new byte[length]);
    }

    private static StrictProbe block(String id) {
        return StrictProbe.blob("PUT", "/strict/id" + id.length() + "?comp=block&blockid=" + Sas.encoded(id))
                .body(new byte[1]);
    }

    private static StrictProbe oldBlock(int length) {
        return StrictProbe.blob("PUT", BLOCK_BLOB + "?comp=block&blockid=AAAA")
                .header("x-ms-version", "2015-12-11")
                .body(new byte[length]);
    }

    private static StrictProbe oldAppend(int length) {
        return StrictProbe.blob("PUT", APPEND_BLOB + "?comp=appendblock")
                .header("x-ms-version", "2021-12-02")
                .body(new byte[length]);
    }

    private static StrictProbe copy(int length) {
        String source = "http://127.0.0.1/devstoreaccount1" + BLOCK_BLOB + "?";
        return StrictProbe.blob("PUT", BLOCK_BLOB + "copy")
                .header("x-ms-copy-source", source + "a".repeat(length - source.length()));
    }

    private static StrictProbe copied(int length) {
        return StrictProbe.blob("PUT", BLOCK_BLOB + "copied?comp=block&blockid=AAAA")
                .header("x-ms-copy-source", "http://127.0.0.1/devstoreaccount1" + BLOCK_BLOB)
                .body(new byte[length]);
    }

    private static StrictProbe blocks(int count) {
        return StrictProbe.blob("PUT", BLOCK_BLOB + "list?comp=blocklist")
                .body("application/xml", "<BlockList>" + "<Latest>AAAA</Latest>".repeat(count) + "</BlockList>");
    }
}

package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.directory.ListedBlobs.Listed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Listings in which one blob lacks a fact, or has one that no client of this library writes. */
@Timeout(60)
class OddListingsTest {

    private final ListedBlobs service = new ListedBlobs();
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlobStubResponse response(StubRequest requested) {
        if (requested.is("PUT", "")) {
            return BlobStubResponse.of(201);
        }
        return requested.is("GET", "") ? new StoredBlob(new byte[1]).apply(requested) : service.apply(requested);
    }

    /** An oddity of a listed blob. */
    private enum Oddity {
        NO_TIME(Listed.content(1).without("Last-Modified")),
        NO_ETAG(Listed.content(1).without("Etag")),
        NO_LENGTH(Listed.content(1).without("Content-Length")),
        NO_TYPE(Listed.content(1).without("BlobType")),
        NO_METADATA(Listed.content(1).without("Metadata")),
        EMPTY_VALUE(Listed.content(1).withMetadata("empty", "")),
        EMPTY_TIME(Listed.content(1).withMetadata("stowlinemodified", "")),
        WRONG_TIME(Listed.content(1).withMetadata("stowlinemodified", "yesterday")),
        FAR_TIME(Listed.content(1).withMetadata("stowlinemodified", "+999999999-12-31T23:59:59Z")),
        UNKNOWN_TIER(Listed.content(1).with("AccessTier", "Marble"));

        private final Listed listed;

        Oddity(Listed listed) {
            this.listed = listed;
        }
    }

    /** A verb that lists the blobs below {@code d}, all of which it transfers or deletes if it can. */
    private enum Verb {
        DOWNLOAD {
            @Override
            TransferReport of(BlobContainer photos, Path folder) {
                return photos.downloadDirectory("d", folder, with -> with.overwrite(Overwrite.IF_DIFFERENT)
                                .collectFailures())
                        .join();
            }
        },
        COPY {
            @Override
            TransferReport of(BlobContainer photos, Path folder) {
                return photos.copyDirectory("d", photos, "t", with -> with.overwrite(Overwrite.IF_DIFFERENT)
                                .collectFailures())
                        .join();
            }
        },
        DELETION {
            @Override
            TransferReport of(BlobContainer photos, Path folder) {
                return photos.deleteDirectory("d", with -> with.collectFailures())
                        .join();
            }
        };

        abstract TransferReport of(BlobContainer photos, Path folder);
    }

    static Stream<Arguments> oddities() {
        return Stream.of(Verb.values())
                .flatMap(verb -> Stream.of(Oddity.values()).map(oddity -> Arguments.of(verb, oddity)));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("oddities")
    @DisplayName("WORLD-2: a transfer does all blobs of a listing in which one is odd, that one included")
    void transfers(Verb verb, Oddity oddity) {
        service.put("d/a", Listed.content(1)).put("d/odd", oddity.listed).put("d/z", Listed.content(1));

        TransferReport report = verb.of(photos, folder);

        assertThat(report.transferred() + report.deleted()).isEqualTo(3);
        assertThat(report.failed()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("WORLD-2: a listing gives all blobs, also one that lacks a fact")
    void listings(Oddity oddity) {
        service.put("d/a", Listed.content(1)).put("d/odd", oddity.listed).put("d/z", Listed.content(1));

        assertThat(photos.stream("d/").toList()).extracting(BlobInfo::name).containsExactly("d/a", "d/odd", "d/z");
        assertThat(photos.entries("d/", "/").toList())
                .extracting(BlobTree.Entry::name)
                .containsExactly("d/a", "d/odd", "d/z");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName(
            "WORLD-2: an upload replaces and deletes around a blob that is odd, which stays if its version is unknown")
    void targets(Oddity oddity) throws IOException {
        service.put("d/a", Listed.content(7))
                .put("d/gone", oddity.listed)
                .put("d/odd", oddity.listed)
                .put("d/z", Listed.content(7));
        for (String name : new String[] {"a", "odd", "z"}) {
            Files.writeString(folder.resolve(name), "content");
        }

        TransferReport report = photos.uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.IF_DIFFERENT)
                        .mirror())
                .join();

        boolean unversioned = oddity == Oddity.NO_ETAG;
        assertThat(report.transferred()).isEqualTo(unversioned ? 2 : 3);
        assertThat(report.deleted()).isEqualTo(unversioned ? 0 : 1);
        assertThat(report.skipped()).isEqualTo(unversioned ? 2 : 0);
    }
}

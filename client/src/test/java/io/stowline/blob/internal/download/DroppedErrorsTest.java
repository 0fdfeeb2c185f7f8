package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.internal.base.DroppedErrors;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Requests of one verb that fail at the same moment: its caller gets one error, and the log none. */
@Timeout(60)
class DroppedErrorsTest {

    private static final int RANGE = 64 << 10;
    private static final int RUNS = 25;

    /** Several requests are refused together; a number that each verb has in flight. */
    private static final int TOGETHER = 3;

    private final StoredBlob stored = new StoredBlob(new byte[8 * RANGE], null);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @RegisterExtension
    private final DroppedErrors dropped = new DroppedErrors();

    private volatile CountDownLatch together = new CountDownLatch(0);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
        assertThat(blobs.memory().now()).isZero();
    }

    private BlobStubResponse refusedTogether(int status, String code) {
        CountDownLatch others = together;
        others.countDown();
        StubBlobs.await(others);
        return BlobStubResponse.refusal(status, code);
    }

    private static boolean isFirst(StubRequest requested) {
        return requested.method().equals("HEAD")
                || (requested.header("x-ms-range") != null
                        && requested.header("x-ms-range").startsWith("bytes=0-"));
    }

    /** A verb that reads a blob of several ranges. */
    private enum Read {
        DOWNLOAD {
            @Override
            void of(BlobContainer photos, Path folder) {
                photos.download("a", with -> with.rangeSize(RANGE));
            }
        },
        REACTIVE_DOWNLOAD {
            @Override
            void of(BlobContainer photos, Path folder) {
                photos.reactive().download("a", with -> with.rangeSize(RANGE)).block();
            }
        },
        OPEN {
            @Override
            void of(BlobContainer photos, Path folder) throws IOException {
                try (InputStream in = photos.open("a", with -> with.rangeSize(RANGE))) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
            }
        },
        OPEN_DOWNLOAD {
            @Override
            void of(BlobContainer photos, Path folder) throws IOException {
                try (BlobDownload opened = photos.openDownload("a", with -> with.rangeSize(RANGE))) {
                    opened.stream().transferTo(OutputStream.nullOutputStream());
                }
            }
        },
        REACTIVE_OPEN {
            @Override
            void of(BlobContainer photos, Path folder) {
                photos.reactive().open("a", with -> with.rangeSize(RANGE)).blockLast();
            }
        },
        TO_STREAM {
            @Override
            void of(BlobContainer photos, Path folder) {
                photos.downloadTo("a", OutputStream.nullOutputStream(), with -> with.rangeSize(RANGE));
            }
        },
        TO_FILE {
            @Override
            void of(BlobContainer photos, Path folder) throws IOException {
                Files.deleteIfExists(folder.resolve("a"));
                photos.downloadTo("a", folder.resolve("a"), with -> with.rangeSize(RANGE));
            }
        };

        abstract void of(BlobContainer photos, Path folder) throws IOException;
    }

    static Stream<Arguments> refusals() {
        return Stream.of(Read.values())
                .flatMap(verb ->
                        Stream.of(Arguments.of(verb, 412, "ConditionNotMet"), Arguments.of(verb, 416, "InvalidRange")));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("refusals")
    @DisplayName("ranges that are refused together end a download with one error")
    void ranges(Read verb, int status, String code) {
        blobs.respond(requested -> isFirst(requested) ? stored.apply(requested) : refusedTogether(status, code));
        for (int run = 0; run < RUNS; run++) {
            together = new CountDownLatch(TOGETHER);
            assertThat(catchThrowable(() -> verb.of(photos, folder))).isNotNull();
        }
    }

    /** A verb that sends or deletes in several requests. */
    private enum Write {
        BYTES {
            @Override
            void of(BlobContainer photos) {
                photos.upload(new byte[800], "a", with -> with.overwrite().blockSize(100));
            }
        },
        STREAM {
            @Override
            void of(BlobContainer photos) {
                photos.upload(new ByteArrayInputStream(new byte[800]), "a", with -> with.overwrite()
                        .blockSize(100));
            }
        },
        DELETE_ALL {
            @Override
            void of(BlobContainer photos) {
                photos.deleteAll(
                        IntStream.range(0, 40).mapToObj(i -> "blob" + i).toList());
            }
        };

        abstract void of(BlobContainer photos);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("blocks and deletions that are refused together end their verb with one error")
    void writes(Write verb) {
        blobs.respond(requested -> requested.is("POST", "batch")
                ? BlobStubResponse.refusal(400, "InvalidInput")
                : requested.is("GET", "blocklist")
                        ? BlobStubResponse.refusal(404, "BlobNotFound")
                        : refusedTogether(404, "ContainerNotFound"));
        for (int run = 0; run < RUNS; run++) {
            together = new CountDownLatch(TOGETHER);
            assertThat(catchThrowable(() -> verb.of(photos))).isNotNull();
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"BYTES", "STREAM"})
    @DisplayName("an upload that its caller cancels has no error at all")
    void cancelled(Write verb) {
        for (int run = 0; run < RUNS; run++) {
            CountDownLatch inFlight = new CountDownLatch(TOGETHER);
            CountDownLatch goOn = new CountDownLatch(1);
            blobs.respond(requested -> {
                if (requested.is("GET", "blocklist")) {
                    return BlobStubResponse.refusal(404, "BlobNotFound");
                }
                inFlight.countDown();
                StubBlobs.await(goOn);
                return BlobStubResponse.refusal(409, "Unexpected");
            });
            Disposable upload = (verb == Write.BYTES
                            ? photos.reactive().upload(new byte[800], "a", with -> with.overwrite()
                                    .blockSize(100))
                            : photos.reactive()
                                    .upload(
                                            Flux.range(0, 8).map(i -> ByteBuffer.wrap(new byte[100])),
                                            "a",
                                            with -> with.overwrite().blockSize(100)))
                    .subscribe(made -> {}, error -> dropped.add(new AssertionError(error)));
            StubBlobs.await(inFlight);
            upload.dispose();
            goOn.countDown();
        }
    }
}

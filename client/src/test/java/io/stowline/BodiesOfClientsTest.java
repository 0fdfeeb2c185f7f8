package io.stowline;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.specialized.BlockBlobAsyncClient;
import com.azure.storage.blob.specialized.BlockBlobClient;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.StopReason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/** R9 with the bodies that the SDK's blob clients really send, and the bodies that they read. */
@Timeout(120)
class BodiesOfClientsTest extends StubbedService {

    private static final byte[] DATA = new byte[300_000];
    private static final String BLOCK = Base64.getEncoder().encodeToString(new byte[] {1});

    static {
        new Random(7).nextBytes(DATA);
    }

    @TempDir
    Path folder;

    private final List<Object> seen = new ArrayList<>();

    /** Ways to send the same bytes, and whether the SDK says of their body that it can be read again. */
    enum Upload {
        BYTES(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                blob.buildClient().upload(BinaryData.fromBytes(DATA), true);
            }
        },
        STREAM(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                blob.buildClient().upload(once(), DATA.length, true);
            }
        },
        FLUX(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                blob.buildAsyncClient().upload(flux(), null, true).block();
            }
        },
        FILE(true) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                blob.buildClient().uploadFromFile(file.toString(), true);
            }
        },
        BLOCK_OF_BYTES(true) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                block(blob).stageBlock(BLOCK, BinaryData.fromBytes(DATA));
            }
        },
        BLOCK_OF_FILE(true) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                asyncBlock(blob).stageBlock(BLOCK, BinaryData.fromFile(file)).block();
            }
        },
        BLOCK_OF_MARKABLE_STREAM(true) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                InputStream markable = new ByteArrayInputStream(DATA);
                asyncBlock(blob)
                        .stageBlock(BLOCK, BinaryData.fromStream(markable, (long) DATA.length))
                        .block();
            }
        },
        BLOCK_OF_STREAM(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                asyncBlock(blob)
                        .stageBlock(BLOCK, BinaryData.fromStream(once(), (long) DATA.length))
                        .block();
            }
        },
        BLOCK_OF_STREAM_BLOCKING(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                block(blob).stageBlock(BLOCK, BinaryData.fromStream(once(), (long) DATA.length));
            }
        },
        BLOCK_OF_FLUX(false) {
            @Override
            void send(BlobClientBuilder blob, Path file) {
                asyncBlock(blob).stageBlock(BLOCK, flux(), DATA.length).block();
            }
        };

        final boolean replayable;

        Upload(boolean replayable) {
            this.replayable = replayable;
        }

        abstract void send(BlobClientBuilder blob, Path file);

        private static BlockBlobClient block(BlobClientBuilder blob) {
            return blob.buildClient().getBlockBlobClient();
        }

        private static BlockBlobAsyncClient asyncBlock(BlobClientBuilder blob) {
            return blob.buildAsyncClient().getBlockBlobAsyncClient();
        }

        private static InputStream once() {
            return new FilterInputStream(new ByteArrayInputStream(DATA)) {
                @Override
                public boolean markSupported() {
                    return false;
                }
            };
        }

        private static Flux<ByteBuffer> flux() {
            return FluxUtil.toFluxByteBuffer(once());
        }
    }

    private Path file() throws IOException {
        return Files.write(folder.resolve("data"), DATA);
    }

    private RequestEnd facts() {
        assertThat(seen).hasSize(1);
        return (RequestEnd) seen.get(0);
    }

    @ParameterizedTest
    @DisplayName("RETRY-9: a body that is held, or can be read again, is sent again whole")
    @EnumSource(Upload.class)
    void bodiesAreSentAgain(Upload upload) throws IOException {
        responds(busy(), busy(), written());

        upload.send(blob(new Watching(seen), policy(settings -> settings)), file());

        assertThat(requests()).hasSize(3).allSatisfy(request -> assertThat(request.getBody())
                .isEqualTo(DATA));
        assertThat(facts().stop()).isEqualTo(StopReason.SUCCEEDED);
    }

    @ParameterizedTest
    @DisplayName("RETRY-9: a body that can be read only once and is not held is not sent again, and the facts say so")
    @EnumSource(Upload.class)
    void consumedBodiesAreNot(Upload upload) throws IOException {
        responds(busy(), written());
        BlobClientBuilder blob = blob(new Watching(seen), policy(settings -> settings.holdBodies(0)));

        if (upload.replayable) {
            upload.send(blob, file());
            assertThat(requests()).hasSize(2);
            return;
        }
        Path file = file();
        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(() -> upload.send(blob, file))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(503));
        assertThat(requests()).hasSize(1);
        assertThat(facts().stop()).isEqualTo(StopReason.BODY_NOT_REPLAYABLE);
    }

    @Test
    @DisplayName("RETRY-9: a body beyond the size that is held is sent as it is")
    void largeBodiesAreNotHeld() throws IOException {
        responds(busy(), written());
        Path file = file();

        assertThatExceptionOfType(BlobStorageException.class)
                .isThrownBy(() -> Upload.BLOCK_OF_FLUX.send(
                        blob(new Watching(seen), policy(settings -> settings.holdBodies(DATA.length - 1))), file));
        assertThat(facts().stop()).isEqualTo(StopReason.BODY_NOT_REPLAYABLE);
    }

    @Test
    @DisplayName("RETRY-9: a body that was not consumed, because there was no connection, is tried again")
    void bodyIsConsumedOnlyByWriting() {
        List<RequestEnd> reported = new ArrayList<>();

        try (RefusingPort port = new RefusingPort()) {
            assertThat(catchThrowable(() -> blob(port.number(), policy(settings -> settings.holdBodies(0)))
                            .buildAsyncClient()
                            .getBlockBlobAsyncClient()
                            .stageBlock(BLOCK, Upload.flux(), DATA.length)
                            .contextWrite(FluxUtil.toReactorContext(StorageRetryPolicy.observing(reported::add)))
                            .block()))
                    .isNotNull();
        }

        assertThat(reported.get(0).stop()).isEqualTo(StopReason.RETRIES_EXHAUSTED);
        assertThat(reported.get(0).attempts()).hasSize(3);
    }

    @Test
    void downloadsAreRepeatedAndStreamed() {
        responds(
                busy(),
                aResponse()
                        .withHeader("x-ms-request-id", "r-1")
                        .withStatus(200)
                        .withHeader("ETag", "\"0x1\"")
                        .withHeader("Content-Length", Integer.toString(DATA.length))
                        .withBody(DATA));
        ByteArrayOutputStream read = new ByteArrayOutputStream();

        blob(policy(settings -> settings)).buildClient().downloadStream(read);

        assertThat(read.toByteArray()).isEqualTo(DATA);
        assertThat(requests()).hasSize(2);
    }

    private static HttpResponse get(SilentServer server) {
        HttpPipeline pipeline = new HttpPipelineBuilder()
                .policies(policy(settings -> settings.retry(
                        retry -> retry.serverTimeout(Duration.ofSeconds(1)).grace(Duration.ZERO))))
                .build();
        return pipeline.sendSync(
                new HttpRequest(HttpMethod.GET, "http://127.0.0.1:" + server.port() + "/acct/photos/a.jpg"),
                Context.NONE);
    }

    private static SilentServer halfResponse() {
        return new SilentServer("HTTP/1.1 200 OK\r\nx-ms-request-id: r-1\r\nContent-Length: 1000\r\n\r\nabc");
    }

    @Test
    @DisplayName(
            "PERMIT-1: a blocking client gets the response with its headers, reads on while more comes, and may close"
                    + " it")
    void bodiesOfBlockingClientsAreStreamed() throws Exception {
        try (SilentServer server = halfResponse()) {
            HttpResponse response = get(server);
            InputStream body = response.getBodyAsInputStreamSync();

            assertThat((char) body.read()).isEqualTo('a');
            body.close();
            response.close();
            assertThat(server.clientHungUp()).isTrue();
        }
    }

    @Test
    @DisplayName("RETRY-5: a body that stands still ends with an error that the SDK resumes after")
    void standingBodiesEnd() throws Exception {
        try (SilentServer server = halfResponse()) {
            Throwable thrown =
                    catchThrowable(() -> get(server).getBodyAsByteArray().block());

            assertThat(thrown)
                    .hasRootCauseInstanceOf(TimeoutException.class)
                    .hasMessageContaining("stood still for PT1S");
            assertThat(server.clientHungUp()).isTrue();
        }
    }
}

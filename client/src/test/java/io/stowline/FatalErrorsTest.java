package io.stowline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.caching.Freshness;
import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Index;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** Code of the application throws what Reactor takes for fatal, and signals to no subscriber: each operation ends nevertheless. */
@Timeout(60)
class FatalErrorsTest {

    private static final String ROW =
            "{\"odata.etag\":\"W/\\\"1\\\"\",\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"text\":\"t\"}";

    private static final String FOLDERS = "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>"
            + "<BlobPrefix><Name>a/</Name></BlobPrefix></Blobs><NextMarker/></EnumerationResults>";

    /** The record cannot be made of a row. */
    record Unmade(@PartitionKey String book, @RowKey String page, String text) {
        Unmade {
            if (text.equals("t")) {
                throw new ExceptionInInitializerError("no such thing");
            }
        }
    }

    /** The record cannot be written. */
    record Unread(@PartitionKey String book, @RowKey String page, String text) {
        @Override
        public String text() {
            throw new StackOverflowError("too deep");
        }
    }

    record Note(@PartitionKey String book, @RowKey String page, String text) {}

    private Stowline storage = client(Stowline.builder());

    private static Stowline client(Stowline.Builder builder) {
        return builder.endpoint("https://acct.blob.core.windows.net")
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .httpClient(request -> Mono.just(respond(request)))
                .closeTimeout(Duration.ofMinutes(10))
                .retry(retry -> retry.retries(0))
                .build();
    }

    private static HttpResponse respond(HttpRequest request) {
        boolean query = request.getUrl().getPath().endsWith("()");
        boolean listing = String.valueOf(request.getUrl().getQuery()).contains("comp=list");
        String body = listing ? FOLDERS : query ? "{\"value\":[" + ROW + "]}" : ROW;
        HttpHeaders headers = new HttpHeaders()
                .set(HttpHeaderName.ETAG, "W/\"1\"")
                .set(HttpHeaderName.CONTENT_TYPE, listing ? "application/xml" : "application/json")
                .set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length()));
        return SimulatedConnection.response(request, 200, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private static Arguments doing(String what, Function<Stowline, Publisher<?>> operation) {
        return Arguments.of(what, operation);
    }

    private static ReactiveTable<Unmade> unmade(Stowline storage) {
        return storage.table("notes", Unmade.class).reactive();
    }

    static Stream<Arguments> operations() {
        Note note = new Note("p", "r", "t");
        Unread unread = new Unread("p", "r", "t");
        return Stream.of(
                doing("find", each -> unmade(each).find("p", "r")),
                doing(
                        "cached find",
                        each -> unmade(each).cached(Freshness.revalidated()).find("p", "r")),
                doing("list", each -> unmade(each).query().partition("p").list()),
                doing("stream", each -> unmade(each).query().partition("p").stream()),
                doing("stored", each -> unmade(each).query().partition("p").streamStored()),
                doing("page", each -> unmade(each).query().partition("p").page()),
                doing("modify", each -> unmade(each).modify("p", "r", found -> found)),
                doing(
                        "change",
                        each -> each.table("notes", Note.class).reactive().modify("p", "r", found -> {
                            throw new NoClassDefFoundError("of " + note);
                        })),
                doing(
                        "insert",
                        each -> each.table("notes", Unread.class).reactive().insert(unread)),
                doing(
                        "claim",
                        each -> each.table("notes", Unread.class).reactive().claim(unread)),
                doing("writer of unread values", each -> each.table("notes", Unread.class)
                        .reactive()
                        .writer()
                        .insertOrReplace(unread)),
                doing("upload", each -> each.container("files")
                        .reactive()
                        .upload(
                                new InputStream() {
                                    @Override
                                    public int read() {
                                        throw new NoClassDefFoundError("of the stream");
                                    }

                                    @Override
                                    public int read(byte[] into, int from, int length) {
                                        return read();
                                    }
                                },
                                "name")));
    }

    static Stream<Arguments> functions() {
        Note note = new Note("p", "r", "t");
        return Stream.of(
                doing("insert", each -> indexed(each).insert(note)),
                doing("insertOrReplace", each -> indexed(each).insertOrReplace(note)),
                doing("delete", each -> indexed(each).delete(StoredEntity.of(note, "W/\"1\""))),
                doing("writer", each -> indexed(each).writer().insert(note)),
                doing("repair of a partition", each -> indexed(each).repair("p")),
                doing("repair", each -> indexed(each).repair()),
                doing("progress of a repair", each -> each.table("notes", Note.class)
                        .indexed(Index.text("TEXT", unfound -> null))
                        .reactive()
                        .repair((partition, progress) -> {
                            throw new NoClassDefFoundError("of the progress");
                        })),
                doing("constructor in a repair", each -> each.table("notes", Unmade.class)
                        .indexed(Index.text("TEXT", Unmade::text))
                        .reactive()
                        .repair()),
                doing("publisher of an upload", each -> each.container("files")
                        .reactive()
                        .upload(onAnotherThread(number -> ByteBuffer.allocate(number)), "name")),
                doing("publisher of a writer", each -> each.table("notes", Note.class)
                        .reactive()
                        .writer()
                        .write(onAnotherThread(number -> TableOperation.insert(note)))),
                doing(
                        "predicate of a walk",
                        each -> each.container("files").reactive().walk("", "/", folder -> {
                            throw new NoClassDefFoundError("of " + folder);
                        })));
    }

    private static ReactiveIndexedTable<Note> indexed(Stowline storage) {
        return storage.table("notes", Note.class)
                .indexed(Index.text("TEXT", note -> {
                    throw new NoClassDefFoundError("of " + note);
                }))
                .reactive();
    }

    private static <T> Flux<T> onAnotherThread(IntFunction<T> given) {
        return Flux.range(1, 2).publishOn(Schedulers.parallel()).map(number -> {
            if (number > 0) {
                throw new NoClassDefFoundError("of the publisher");
            }
            return given.apply(number);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"operations", "functions"})
    @DisplayName("the subscriber gets an unchecked exception that carries the error, and closing waits for nothing")
    void isSignalled(String what, Function<Stowline, Publisher<?>> operation) {
        var end = Objects.requireNonNull(
                Flux.from(operation.apply(storage)).then().materialize().block(Duration.ofSeconds(30)));

        assertThat(end.getThrowable())
                .as(what)
                .isInstanceOf(IllegalStateException.class)
                .cause()
                .isInstanceOfAny(LinkageError.class, VirtualMachineError.class);
        storage.close();
    }

    @Test
    void aListenerHarmsNothing() {
        storage.close();
        storage = client(Stowline.builder().listener(new StowlineListener() {
            @Override
            public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
                return new OperationListener() {
                    @Override
                    public void onOperationEnd(OperationEnd end) {
                        throw new NoClassDefFoundError("of the listener");
                    }
                };
            }
        }));

        assertThat(storage.table("notes", Note.class).find("p", "r")).isPresent();
        assertThat(storage.table("notes", Note.class).reactive().find("p", "r").block(Duration.ofSeconds(30)))
                .isNotNull();
    }
}

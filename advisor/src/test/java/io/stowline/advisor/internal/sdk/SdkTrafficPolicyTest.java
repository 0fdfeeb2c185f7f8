package io.stowline.advisor.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.stowline.advisor.internal.sdk.SdkExchange.SeenAttempt;
import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.spi.LocationAwareLogger;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;

class SdkTrafficPolicyTest {

    private static final String TABLE = "https://acct.table.core.windows.net/";
    private static final String QUEUE = "https://acct.queue.core.windows.net/";
    private static final String BLOB = "https://acct.blob.core.windows.net/";

    private final SdkExchange exchange = new SdkExchange();

    private static HttpRequest request(String method, String url) {
        return new HttpRequest(HttpMethod.valueOf(method), url);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "GET,    runners(PartitionKey='2026%20NYC'%2CRowKey='O''Hara%2F1%2B1'), find, runners, 2026 NYC,"
                        + " O'Hara/1+1",
                "PUT,    runners(PartitionKey='p'%2CRowKey='r'), insertOrReplace, runners, p, r",
                "PATCH,  runners(PartitionKey=''%2CRowKey=''),   insertOrMerge, runners, ``, ``",
                "MERGE,  runners(PartitionKey='p'%2CRowKey='r'), insertOrMerge, runners, p, r",
                "DELETE, runners(PartitionKey='p'%2CRowKey='r'), delete, runners, p, r",
                "GET,    runners(), query, runners,,",
                "GET,    runners()?%24filter=PartitionKey%20eq%20'a', query, runners, a,",
                "POST,   runners, insert, runners,,",
                "POST,   $batch, transaction, ``,,",
                "POST,   Tables, create, ``,,",
                "GET,    Tables, listTables, ``,,",
                "DELETE, Tables('runners'), drop, runners,,",
                "GET,    runners?comp=acl, listPolicies, runners,,",
                "PUT,    runners?comp=acl, replacePolicies, runners,,",
                "GET,    ?restype=service&comp=properties, serviceInfo, ``,,"
            })
    void requestsOfTables(String method, String path, String verb, String table, String partition, String row) {
        exchange.send(
                request(method.strip().equals("MERGE") ? "POST" : method.strip(), TABLE + path)
                        .setHeader(
                                HttpHeaderName.fromString("X-HTTP-Method"), method.equals("MERGE") ? "MERGE" : method),
                Context.NONE);

        assertThat(exchange.only())
                .extracting(
                        SeenAttempt::service,
                        SeenAttempt::account,
                        SeenAttempt::operation,
                        SeenAttempt::container,
                        SeenAttempt::partition,
                        SeenAttempt::row)
                .containsExactly("table", "acct", verb, table, partition, row);
        assertThat(exchange.only().write()).isEqualTo(!method.strip().equals("GET"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "GET,    ?comp=list, listQueues, ``, false",
                "PUT,    orders, create, orders, true",
                "DELETE, orders, drop, orders, true",
                "GET,    orders?comp=metadata, info, orders, false",
                "PUT,    orders?comp=metadata, setMetadata, orders, true",
                "POST,   orders/messages, send, orders, true",
                "GET,    orders/messages?numofmessages=32, receive, orders, false",
                "GET,    orders/messages?numofmessages=32&peekonly=true, peek, orders, false",
                "DELETE, orders/messages, clear, orders, true",
                "PUT,    orders/messages/id?popreceipt=x, update, orders, true",
                "DELETE, orders/messages/id?popreceipt=x, delete, orders, true"
            })
    void requestsOfQueues(String method, String path, String verb, String queue, boolean write) {
        exchange.send(request(method, QUEUE + path), Context.NONE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::service, SeenAttempt::operation, SeenAttempt::container, SeenAttempt::write)
                .containsExactly("queue", verb, queue, write);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "GET,    ?comp=list, listContainers, ``,",
                "POST,   ?restype=service&comp=userdelegationkey, userDelegationKey, ``,",
                "PUT,    photos?restype=container, create, photos,",
                "DELETE, photos?restype=container, drop, photos,",
                "HEAD,   photos?restype=container, info, photos,",
                "GET,    photos?restype=container&comp=list, list, photos,",
                "POST,   photos?restype=container&comp=batch, deleteAll, photos,",
                "PUT,    photos?restype=container&comp=lease, lease, photos,",
                "GET,    photos/2026/a%20b.jpg, download, photos, 2026/a b.jpg",
                "HEAD,   photos/a.jpg, info, photos, a.jpg",
                "PUT,    photos/a.jpg, upload, photos, a.jpg",
                "PUT,    photos/a.jpg?comp=block&blockid=x, upload, photos, a.jpg",
                "PUT,    photos/a.jpg?comp=blocklist, upload, photos, a.jpg",
                "PUT,    photos/a.log?comp=appendblock, append, photos, a.log",
                "PUT,    photos/a.img?comp=page, write, photos, a.img",
                "GET,    photos/a.img?comp=pagelist, ranges, photos, a.img",
                "PUT,    photos/a.jpg?comp=metadata, setMetadata, photos, a.jpg",
                "PUT,    photos/a.jpg?comp=properties, setHeaders, photos, a.jpg",
                "PUT,    photos/a.jpg?comp=tier, setTier, photos, a.jpg",
                "PUT,    photos/a.jpg?comp=snapshot, snapshot, photos, a.jpg",
                "GET,    photos/a.jpg?comp=tags, tags, photos, a.jpg",
                "DELETE, photos/a.jpg, delete, photos, a.jpg",
                "GET,    root.txt, download, $root, root.txt"
            })
    void requestsOfBlobs(String method, String path, String verb, String container, String blob) {
        exchange.send(request(method, BLOB + path), Context.NONE);

        assertThat(exchange.only())
                .extracting(
                        SeenAttempt::service, SeenAttempt::operation, SeenAttempt::container, SeenAttempt::partition)
                .containsExactly("blob", verb, container, blob);
    }

    @ParameterizedTest
    @CsvSource({
        "https://acct-secondary.table.core.windows.net/t(),,acct,table,t",
        "https://acct.privatelink.queue.core.windows.net/q,,acct,queue,q",
        "https://acct.z01.blob.storage.azure.net/c/b,,acct,blob,c",
        "http://127.0.0.1:10002/local/t(),com.azure.data.tables.implementation.TablesImpl$TablesService.x,local,table,t",
        "http://azurite:1/local/q,com.azure.storage.queue.implementation.QueuesImpl$QueuesService.y,local,queue,q",
        "https://cdn.example.com/c/b,com.azure.storage.blob.implementation.BlobsImpl.z,cdn.example.com,blob,c"
    })
    void originsOfRequests(String url, String caller, String account, String service, String container) {
        exchange.send(request("GET", url), caller == null ? Context.NONE : new Context("caller-method", caller));

        assertThat(exchange.only())
                .extracting(SeenAttempt::account, SeenAttempt::service, SeenAttempt::container)
                .containsExactly(account, service, container);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://acct.file.core.windows.net/share",
                "https://acct.dfs.core.windows.net/fs",
                "https://acct.table.cosmos.azure.com/t()",
                "https://secrets.vault.azure.net/secrets/x",
                "http://127.0.0.1:8080/anything"
            })
    void requestsToOtherServicesAreNotJudged(String url) {
        assertThat(exchange.send(request("GET", url), Context.NONE).getStatusCode())
                .isEqualTo(200);

        assertThat(exchange.seen).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"x-ms-range, bytes=0-1023", "Range, bytes=1024-2047", "x-ms-version, none"})
    void aDownloadShowsItsRange(String header, @Nullable String range) {
        exchange.send(
                request("GET", BLOB + "photos/a.img")
                        .setHeader(HttpHeaderName.fromString(header), range == null ? "2020-12-06" : range),
                Context.NONE);

        assertThat(exchange.only().range()).isEqualTo(range);
    }

    @Test
    void anInsertShowsItsKeys() {
        exchange.send(
                request("POST", TABLE + "runners")
                        .setBody(
                                BinaryData.fromString(
                                        "{\"Nested\":{\"PartitionKey\":\"no\"},\"PartitionKey\":\"Z\\u00fcrich\",\"age\":4,\"RowKey\":\"00\\\"1\"}")),
                Context.NONE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::partition, SeenAttempt::row, SeenAttempt::bytesSent)
                .containsExactly("Zürich", "00\"1", 86L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"PartitionKey\":7}", "\"text\"", "{\"PartitionKey\":null}"})
    void aBodyThatIsNoEntityShowsNoKeys(String body) {
        exchange.send(request("POST", TABLE + "runners").setBody(BinaryData.fromString(body)), Context.NONE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::operation, SeenAttempt::partition, SeenAttempt::entities)
                .containsExactly("insert", null, 1);
    }

    @Test
    void aTransactionShowsItsPartitionAndNumber() {
        String byAddress = part("PUT", TABLE + "runners(PartitionKey='2026%20NYC',RowKey='1')", "{\"a\":1}");
        String byContent = part("POST", TABLE + "runners", "{\"PartitionKey\":\"2026 NYC\",\"RowKey\":\"2\"}");
        String deletion = part("DELETE", TABLE + "runners(PartitionKey='2026%20NYC',RowKey='3')", "");

        for (String body : List.of(byAddress + byContent + deletion, byContent + deletion + byAddress)) {
            exchange.seen.clear();
            exchange.send(request("POST", TABLE + "$batch").setBody(BinaryData.fromString(body)), Context.NONE);

            assertThat(exchange.only())
                    .extracting(SeenAttempt::container, SeenAttempt::partition, SeenAttempt::row, SeenAttempt::entities)
                    .containsExactly("runners", "2026 NYC", null, 3);
        }
    }

    private static String part(String method, String url, String body) {
        return "--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" + method
                + " " + url + " HTTP/1.1\r\nAccept: application/json\r\n\r\n" + body + "\r\n";
    }

    @Test
    void aBodyThatCanBeReadOnceIsNotRead() {
        BinaryData once = BinaryData.fromStream(
                new ByteArrayInputStream("{\"PartitionKey\":\"p\"}".getBytes(StandardCharsets.UTF_8)) {
                    @Override
                    public boolean markSupported() {
                        return false;
                    }
                });

        exchange.sendSync(request("POST", TABLE + "runners").setBody(once), Context.NONE);

        assertThat(exchange.only().partition()).isNull();
        assertThat(exchange.sent).singleElement().asString().contains("[123, 34, 80");
    }

    @Test
    void aPageOfAQueryShowsItsRows() {
        exchange.responds(
                200,
                "{\"odata.metadata\":\"x\",\"value\":[{\"a\":\"{]\\\"\",\"b\":1},{\"a\":\"\\\\\"}]}",
                "x-ms-continuation-NextPartitionKey",
                "1!8!abc");
        exchange.send(
                request(
                        "GET",
                        TABLE
                                + "runners()?%24filter=age%20gt%203&%24select=a%2Cb&%24format=application%2Fjson%3Bodata%3Dfullmetadata"),
                SdkExchange.READ_WHOLE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::queryClass, SeenAttempt::returned, SeenAttempt::continued, SeenAttempt::accept)
                .containsExactly("table-scan", 2, true, "application/json;odata=fullmetadata");
        assertThat(exchange.pages)
                .containsExactly(
                        new QueryPageEvent("acct", "runners", "table-scan", "age gt ?", 2, 1_000, true, 2, 0, 62));
    }

    @Test
    void aReceiveShowsItsMessages() {
        exchange.responds(
                200,
                "<QueueMessagesList><QueueMessage><MessageId>1</MessageId><MessageText>&lt;MessageId></MessageText></QueueMessage>"
                        + "<QueueMessage><<MessageId>2</MessageId></QueueMessage></QueueMessagesList>");
        exchange.sendSync(request("GET", QUEUE + "orders/messages?numofmessages=32"), SdkExchange.READ_WHOLE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::entities, SeenAttempt::returned, SeenAttempt::write)
                .containsExactly(32, 2, false);
    }

    @Test
    void aStreamedResponsePassesUnread() {
        exchange.responds(200, "{\"value\":[{}]}");
        HttpResponse response = exchange.send(request("GET", TABLE + "runners()"), Context.NONE);

        assertThat(exchange.only().returned()).isEqualTo(-1);
        assertThat(exchange.pages).isEmpty();
        assertThat(response.getBodyAsString().block()).isEqualTo("{\"value\":[{}]}");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "200, , , SUCCESS,",
                "304, , , SUCCESS,",
                "404, ResourceNotFound, , ABSENT, ResourceNotFound",
                "404, TableNotFound, , REFUSED, TableNotFound",
                "409, , {`odata.error`:{`code`:`EntityAlreadyExists`}}, REFUSED, EntityAlreadyExists",
                "403, , <Error><Code>AuthenticationFailed</Code></Error>, REFUSED, AuthenticationFailed",
                "503, ServerBusy, The server is busy., THROTTLED_PARTITION, ServerBusy",
                "503, ServerBusy, Operations per second is over the account limit., THROTTLED_ACCOUNT, ServerBusy",
                "503, , , SERVER_ERROR,",
                "429, , , THROTTLED_PARTITION,",
                "500, OperationTimedOut, , THROTTLED_PARTITION, OperationTimedOut",
                "500, InternalError, , SERVER_ERROR, InternalError"
            })
    void endsOfAttempts(int status, String header, String body, AttemptReason reason, String code) {
        String text = body == null ? "" : body.replace('`', '"');
        if (header == null) {
            exchange.responds(status, text, "ETag", "\"1\"");
        } else {
            exchange.responds(status, text, "x-ms-error-code", header, "ETag", "\"1\"");
        }
        HttpResponse response = exchange.send(request("PUT", TABLE + "t(PartitionKey='p',RowKey='r')"), Context.NONE);

        assertThat(exchange.only())
                .extracting(SeenAttempt::status, SeenAttempt::reason, SeenAttempt::errorCode, SeenAttempt::etag)
                .containsExactly(status, reason, code, "\"1\"");
        assertThat(exchange.only().ambiguous()).isEqualTo(status >= 500);
        assertThat(response.getBodyAsString().block()).isEqualTo(text);
    }

    @Test
    void anAttemptWithoutResponseHasItsReason() {
        HttpRequest send = request("POST", QUEUE + "orders/messages");
        exchange.fails(new UncheckedIOException(new IOException("connection reset")));
        assertThatThrownBy(() -> exchange.sendSync(send, Context.NONE)).hasMessageContaining("connection reset");
        exchange.fails(Exceptions.propagate(new TimeoutException("late")));
        assertThatThrownBy(() -> exchange.send(send, Context.NONE)).hasMessageContaining("late");
        exchange.fails(new IllegalArgumentException("a policy's"));
        assertThatThrownBy(() -> exchange.send(send, Context.NONE)).hasMessageContaining("a policy's");

        assertThat(exchange.seen)
                .extracting(SeenAttempt::reason)
                .containsExactly(AttemptReason.CONNECTION, AttemptReason.TIMEOUT, AttemptReason.OTHER);
        assertThat(exchange.seen).extracting(SeenAttempt::ambiguous).containsExactly(true, true, false);
    }

    @ParameterizedTest
    @CsvSource({"If-Match,*,NONE", "If-Match,\"1\",IF_MATCH", "If-None-Match,*,IF_NONE_MATCH", "Accept,x,NONE"})
    void conditions(String header, String value, Condition condition) {
        exchange.send(request("PUT", BLOB + "c/b").setHeader(HttpHeaderName.fromString(header), value), Context.NONE);

        assertThat(exchange.only().condition()).isEqualTo(condition);
    }

    @Test
    void theNumberOfAnAttemptIsThatOfTheSdksRetry() {
        exchange.send(request("GET", BLOB + "c/b"), new Context("requestRetryCount", 3));

        assertThat(exchange.only().number()).isEqualTo(3);
    }

    @Test
    void aHeadHasNoBytes() {
        exchange.responds(200, "x".repeat(1_000));
        exchange.send(request("HEAD", BLOB + "c/b"), Context.NONE);

        assertThat(exchange.only().bytesReceived()).isZero();
    }

    @Test
    void requestsAndResponsesAreTheSameWithThePolicy() {
        List<String> urls = List.of(
                TABLE + "runners",
                TABLE + "$batch",
                TABLE + "t(PartitionKey='%E4%BD%A0',RowKey='%00')?x=%",
                TABLE + "runners()?%24filter=((((((",
                QUEUE + "orders/messages?numofmessages=many",
                BLOB + "c/%7E%20?comp=block&blockid=%2B");
        for (String url : urls) {
            for (String method : List.of("GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS")) {
                for (String body : List.of("", "{\"PartitionKey\":\"p\"}", "x".repeat(100_000))) {
                    compare(method, url, body);
                }
            }
        }
    }

    private void compare(String method, String url, String body) {
        for (int status : List.of(200, 404, 503)) {
            for (Context context : List.of(Context.NONE, SdkExchange.READ_WHOLE)) {
                exchange.sent.clear();
                exchange.responds(status, "{\"value\":[" + body + "]}", "ETag", "1");
                String without = text(exchange.sendWithout(request(method, url).setBody(body), context));
                assertThat(text(exchange.send(request(method, url).setBody(body), context)))
                        .isEqualTo(without);
                assertThat(text(exchange.sendSync(request(method, url).setBody(body), context)))
                        .isEqualTo(without);
                assertThat(exchange.sent).hasSize(3).containsOnly(exchange.sent.get(0));
            }
        }
    }

    private static String text(HttpResponse response) {
        return response.getStatusCode()
                + response.getHeaders().toString()
                + response.getBodyAsString().block();
    }

    @Test
    void aFailingListenerFailsNothing() {
        StowlineListener failing = new StowlineListener() {
            @Override
            public void onAttemptEnd(io.stowline.observe.AttemptEvent event) {
                throw new IllegalStateException("no");
            }
        };

        assertThat(exchange.pipeline(new SdkTrafficPolicy(failing))
                        .sendSync(request("GET", BLOB + "c/b"), Context.NONE)
                        .getStatusCode())
                .isEqualTo(200);
    }

    @Test
    void theLogHasNoPartOfABody() throws ReflectiveOperationException {
        Field level = SdkTrafficPolicy.LOG.getClass().getDeclaredField("currentLogLevel");
        level.setAccessible(true);
        int before = level.getInt(SdkTrafficPolicy.LOG);
        PrintStream errors = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try {
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            level.setInt(SdkTrafficPolicy.LOG, LocationAwareLogger.DEBUG_INT);
            exchange.send(
                    request("POST", TABLE + "runners").setBody(BinaryData.fromString("{\"PartitionKey\": s3cret")),
                    Context.NONE);
            exchange.send(request("GET", TABLE + "runners(PartitionKey='s3cret%zz',RowKey='')"), Context.NONE);
        } finally {
            System.setErr(errors);
            level.setInt(SdkTrafficPolicy.LOG, before);
        }

        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("the body of a request shows no keys", "is not judged")
                .doesNotContain("s3cret", "zz");
    }

    @Test
    void aLongBodyIsNotRead() {
        byte[] tooLong = new byte[6 << 20];
        exchange.sendSync(
                request("POST", TABLE + "$batch").setBody(BinaryData.fromByteBuffer(ByteBuffer.wrap(tooLong))),
                Context.NONE);
        exchange.sendSync(
                request("POST", TABLE + "$batch")
                        .setBody(BinaryData.fromFlux(Flux.just(ByteBuffer.wrap(tooLong)), null, false)
                                .block()),
                Context.NONE);

        assertThat(exchange.seen).extracting(SeenAttempt::entities).containsExactly(1, 1);
    }
}

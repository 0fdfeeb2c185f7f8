package io.stowline.queue.internal;

import static io.stowline.queue.internal.QueueBench.RECEIPT;
import static io.stowline.queue.internal.QueueBench.ROOT;
import static io.stowline.queue.internal.QueueBench.error;
import static io.stowline.queue.internal.QueueBench.message;
import static io.stowline.queue.internal.QueueBench.messages;
import static io.stowline.queue.internal.QueueBench.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class QueueOperationsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final QueueBench bench = new QueueBench();
    private final FakeWire wire = bench.wire();
    private final QueueOperations operations = bench.client();

    private <A> A value(Mono<A> mono) throws Exception {
        return bench.start(mono).value();
    }

    private LeaseReceipt held(String receipt) {
        return bench.lease(receipt, MINUTE);
    }

    private StorageException failure(Mono<?> mono) {
        return bench.start(mono).failure();
    }

    @Test
    void putsAMessage() throws Exception {
        bench.responds(201, sent("7"));
        SendResult done = value(operations.send("a < b & c", null, null));

        assertThat(wire.last().method()).isEqualTo("POST");
        assertThat(wire.last().url()).isEqualTo(ROOT + "/orders/messages?timeout=30");
        assertThat(wire.last().body())
                .endsWith("<QueueMessage><MessageText>a &lt; b &amp; c</MessageText></QueueMessage>");
        assertThat(done)
                .isEqualTo(new SendResult(
                        "orders",
                        "7",
                        RECEIPT,
                        Instant.parse("2024-02-29T12:00:00Z"),
                        Instant.parse("2024-03-07T12:00:00Z"),
                        Instant.parse("2024-02-29T12:00:30Z"),
                        false));
    }

    @Test
    void saysWhenAMessageIsVisibleAndHowLongItIsKept() throws Exception {
        bench.responds(201, sent("7")).responds(201, sent("8"));
        value(operations.send("text", Duration.ofSeconds(10), MINUTE));
        assertThat(wire.last().url()).contains("visibilitytimeout=10", "messagettl=60");

        value(operations.send("text", Duration.ofDays(7), QueueTimeLimits.NEVER));
        assertThat(wire.last().url()).contains("visibilitytimeout=604800", "messagettl=-1");
    }

    @Test
    @DisplayName("OUTCOME-7, OUTCOME-9: a send after a lost response says that the message may be there twice")
    void repeatedSend() throws Exception {
        bench.losesTheResponse().responds(500, error("InternalError")).responds(201, sent("7"));
        var sending = bench.start(operations.send("text", null, null));
        bench.pass(MINUTE);

        assertThat(sending.value().mayHaveRepeated()).isTrue();
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("OUTCOME-9, RETRY-2: a send that was throttled or never written before is not repeated")
    void sendThatWasNotRepeated() throws Exception {
        wire.breaksBeforeWriting(new IOException("Connection refused"));
        bench.responds(503, error("ServerBusy")).responds(201, sent("7"));
        var sending = bench.start(operations.send("text", null, null));
        bench.pass(MINUTE);

        assertThat(sending.value().mayHaveRepeated()).isFalse();
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("RETRY-7: each subscription is a send of its own")
    void eachSubscriptionIsASend() throws Exception {
        bench.losesTheResponse().responds(201, sent("7")).responds(201, sent("8"));
        Mono<SendResult> send = operations.send("text", null, null);
        var first = bench.start(send);
        bench.pass(MINUTE);

        assertThat(first.value().mayHaveRepeated()).isTrue();
        assertThat(value(send))
                .matches(second -> !second.mayHaveRepeated() && second.id().equals("8"));
    }

    @Test
    void receivesMessages() throws Exception {
        bench.responds(200, messages("one", "t&#119;o &lt;&amp;&gt;"));
        List<DeliveredMessage> messages = value(operations.receive(32, Duration.ofSeconds(45)));

        assertThat(wire.last().url())
                .startsWith(ROOT + "/orders/messages?")
                .contains("numofmessages=32", "visibilitytimeout=45");
        assertThat(messages).extracting(message -> message.view().raw()).containsExactly("one", "two <&>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a&#1;b|1", "a&#x1;b|1", "a\u0001b|1", "a\u0000b|0", "a&#xFFFF;b|65535", "a&#xD800;b|55296"})
    @DisplayName("WORLD-2: a character that XML cannot carry leaves its own message and the others as they are")
    void charactersThatXmlCannotCarry(String text, int c) throws Exception {
        String list = messages("one", text, "&lt;&amp;&#119;&apos;&quot;&gt;\r\nx&#xD;", "");
        bench.responds(200, list).responds(200, list);

        assertThat(value(operations.receive(32, MINUTE)))
                .extracting(message -> message.view().raw())
                .containsExactly("one", "a" + (char) c + "b", "<&w'\">\nx\r", "");
        assertThat(value(operations.peek(32)))
                .extracting(message -> message.header().dequeueCount())
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    @DisplayName("WORLD-2: an empty or odd count is none, and fails no message")
    void oddCounts() throws Exception {
        bench.responds(
                200,
                messages("one", "two", "three")
                        .replace("<DequeueCount>1</DequeueCount>", "<DequeueCount></DequeueCount>")
                        .replace("<DequeueCount>2</DequeueCount>", "<DequeueCount>many</DequeueCount>"));

        assertThat(value(operations.receive(32, MINUTE)))
                .extracting(message -> message.view().header().dequeueCount())
                .containsExactly(0L, 0L, 3L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MessageId", "PopReceipt", "TimeNextVisible", "InsertionTime", "ExpirationTime"})
    @DisplayName("WORLD-2: a message that the response does not describe fails alone")
    void incompleteMessage(String name) throws Exception {
        String broken = messages("broken").replaceAll("<" + name + ">.*</" + name + ">", "<" + name + "/>");
        bench.responds(
                200,
                messages("one").replace("</QueueMessagesList>", "")
                        + broken.substring(broken.indexOf("<QueueMessage>")));

        assertThat(value(operations.receive(32, MINUTE)))
                .singleElement()
                .extracting(message -> message.view().raw())
                .isEqualTo("one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TimeNextVisible", "InsertionTime", "ExpirationTime"})
    @DisplayName("WORLD-2: a message is sent whatever the response gives of its times")
    void sentWithoutTimes(String name) throws Exception {
        bench.responds(
                201,
                messages("text").replaceAll("<" + name + ">.*</" + name + ">", "<" + name + ">soon</" + name + ">"));

        SendResult sent = value(operations.send("text", null, null));

        assertThat(List.of(sent.visibleAt(), sent.insertedAt(), sent.expiresAt()))
                .filteredOn(Instant.EPOCH::equals)
                .hasSize(1);
        assertThat(sent.id()).isNotEmpty();
        assertThat(sent.mayHaveRepeated()).isFalse();
    }

    @Test
    @DisplayName("a response that cannot be read is refused with the reason and its place, and without its content")
    void unreadableResponse() throws Exception {
        bench.responds(200, messages("secret").replace("</PopReceipt>", "</Receipt>"));

        assertThat(failure(operations.receive(1, MINUTE)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("(a tag ends another element than the one that is open, at byte ")
                .hasMessageNotContaining("secret");
    }

    @Test
    @DisplayName("RETRY-2: a receive whose response was lost is tried again and is not ambiguous")
    void receiveIsTriedAgain() throws Exception {
        bench.losesTheResponse();
        for (int i = 0; i < 4; i++) {
            bench.losesTheResponse();
        }
        var receiving = bench.start(operations.receive(1, MINUTE));
        bench.pass(Duration.ofMinutes(2));

        assertThat(receiving.failure().failure().unansweredAttempts()).isZero();
        assertThat(receiving.failure().failure().attempts()).isEqualTo(5);
    }

    @Test
    void looksAtMessages() throws Exception {
        bench.responds(200, messages("one"));
        List<MessageView> messages = value(operations.peek(3));

        assertThat(wire.last().url()).contains("peekonly=true", "numofmessages=3");
        assertThat(messages).singleElement().satisfies(message -> assertThat(
                        message.header().dequeueCount())
                .isEqualTo(1));
    }

    @Test
    void updatesAMessage() throws Exception {
        bench.responds(204, "", "x-ms-popreceipt", "next", "x-ms-time-next-visible", "Thu, 29 Feb 2024 12:01:00 GMT")
                .responds(
                        204, "", "x-ms-popreceipt", "last", "x-ms-time-next-visible", "Thu, 29 Feb 2024 12:01:00 GMT");
        var update = value(operations.update(message("id-1"), held(RECEIPT), null, MINUTE));

        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().url())
                .startsWith(ROOT + "/orders/messages/id-1?")
                .contains("popreceipt=AgAAAAMAAAA%2Bb%2FA%3D%3D", "visibilitytimeout=60");
        assertThat(wire.last().body()).isEmpty();
        assertThat(update.popReceipt()).isEqualTo("next");

        value(operations.update(message("id-1"), held("next"), "new text", Duration.ZERO));
        assertThat(wire.last().url()).contains("visibilitytimeout=0");
        assertThat(wire.last().body()).contains("<MessageText>new text</MessageText>");
    }

    @Test
    void deletesAMessage() throws Exception {
        bench.responds(204, "");
        value(operations.delete(message("id-1"), held(RECEIPT)));

        assertThat(wire.last().method()).isEqualTo("DELETE");
        assertThat(wire.last().url())
                .startsWith(ROOT + "/orders/messages/id-1?")
                .contains("popreceipt=AgAAAAMAAAA%2Bb%2FA%3D%3D");
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a sender's deletion after a lost response is unknown: another may have received the message")
    void takesBackAfterALostResponse() throws Exception {
        bench.responds(201, sent("7"));
        SendResult message = value(operations.send("text", null, null));
        bench.losesTheResponse().responds(404, error("MessageNotFound"));
        var deleting = bench.start(operations.delete(message));
        bench.pass(MINUTE);

        assertThat(deleting.failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("orders(7)")
                .hasMessageContaining("another client has received");
        assertThat(bench.completed().size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"404, MessageNotFound", "400, PopReceiptMismatch"})
    @DisplayName("OUTCOME-7: a message that is not ours any more is one clear failure")
    void lostMessage(int status, String code) throws Exception {
        bench.responds(status, error(code)).responds(status, error(code));

        assertThat(failure(operations.update(message("id-1"), held(RECEIPT), null, MINUTE)))
                .isInstanceOf(PreconditionFailedException.class)
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("orders(id-1)"))
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
        assertThat(failure(operations.delete(message("id-1"), held(RECEIPT))))
                .isInstanceOf(PreconditionFailedException.class);
        assertThat(wire.sent()).hasSize(2);
        assertThat(bench.completed().holds(message("id-1"))).isTrue();
    }

    @Test
    void aMissingQueueIsAnotherFailure() throws Exception {
        bench.responds(404, error("QueueNotFound")).responds(404, error("QueueNotFound"));

        assertThat(failure(operations.delete(message("id-1"), held(RECEIPT)))).isInstanceOf(NotFoundException.class);
        assertThat(failure(operations.receive(1, MINUTE)))
                .isInstanceOf(NotFoundException.class)
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("orders"));
    }

    @Test
    @DisplayName("RETRY-7: neither the text nor the pop receipt of a message stands in a failure")
    void noContentInFailures() throws Exception {
        for (int i = 0; i < 5; i++) {
            bench.losesTheResponse();
        }
        var updating = bench.start(operations.update(message("id-1"), held(RECEIPT), "top secret", MINUTE));
        bench.pass(Duration.ofMinutes(2));
        StringWriter everything = new StringWriter();
        updating.failure().printStackTrace(new PrintWriter(everything));

        assertThat(everything.toString()).contains("id-1").doesNotContain(RECEIPT, "AgAAAAMAAAA", "top secret");
    }

    @Test
    @DisplayName("PERMIT-5: an update and a delete go before ordinary work")
    void settlesFirst() throws Exception {
        Bench narrow = new Bench(1);
        QueueBench busy = new QueueBench(narrow);
        busy.wire().staysSilent().responds(204, "");
        busy.start(busy.client().send("text", null, null));
        var waiting = busy.start(busy.client().send("text", null, null));
        var deleting = busy.start(busy.client().delete(message("id-1"), busy.lease(RECEIPT, MINUTE)));

        busy.pass(Duration.ofSeconds(1));
        assertThat(deleting.value().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(waiting.future()).isNotDone();
    }

    @Test
    void makesAQueue() throws Exception {
        bench.responds(201, "").responds(409, error("QueueAlreadyExists"));

        assertThat(value(operations.createIfMissing())).isTrue();
        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().url()).isEqualTo(ROOT + "/orders?timeout=30");
        assertThat(value(operations.createIfMissing())).isFalse();
    }

    @Test
    void aQueueThatIsThereIsAConflict() throws Exception {
        bench.responds(409, error("QueueAlreadyExists")).responds(409, error("QueueDisabled"));

        assertThat(failure(operations.create())).isInstanceOf(ConflictException.class);
        assertThat(failure(operations.createIfMissing())).isInstanceOf(ConflictException.class);
    }

    @Test
    @DisplayName(
            "RETRY-3: a queue that is still being deleted is worth waiting for when it is made anew, and only then")
    void waitsForTheOldOneToGo() throws Exception {
        bench.responds(409, error("QueueBeingDeleted")).responds(201, "").responds(409, error("QueueBeingDeleted"));
        var made = bench.start(operations.createIfMissing());
        bench.pass(MINUTE);

        assertThat(made.value()).isTrue();
        assertThat(failure(operations.send("text", null, null))).isInstanceOf(ConflictException.class);
    }

    @Test
    void removesAQueue() throws Exception {
        bench.responds(204, "").responds(404, error("QueueNotFound")).responds(404, error("QueueNotFound"));

        assertThat(value(operations.deleteIfExists())).isTrue();
        assertThat(wire.last().method()).isEqualTo("DELETE");
        assertThat(value(operations.deleteIfExists())).isFalse();
        assertThat(failure(operations.delete())).isInstanceOf(NotFoundException.class);
    }

    @Test
    void readsCountAndMetadata() throws Exception {
        String count = "x-ms-approximate-messages-count";
        bench.responds(200, "", count, "5000000000")
                .responds(200, "", count, "0", "x-ms-meta-Team", "blue")
                .responds(200, "", count, "0")
                .responds(404, error("QueueNotFound"));

        assertThat(value(operations.approximateCount())).isEqualTo(5_000_000_000L);
        assertThat(wire.last().url()).isEqualTo(ROOT + "/orders?comp=metadata&timeout=30");
        assertThat(value(operations.info()).metadata()).containsExactly(Map.entry("Team", "blue"));
        assertThat(value(operations.exists())).isTrue();
        assertThat(value(operations.exists())).isFalse();
    }

    @Test
    void replacesTheMetadata() throws Exception {
        bench.responds(204, "");
        value(operations.setMetadata(Map.of("Team", "blue and green")));

        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().url()).isEqualTo(ROOT + "/orders?comp=metadata&timeout=30");
        assertThat(wire.last().header("x-ms-meta-Team")).isEqualTo("blue and green");
    }

    @Test
    @DisplayName("WORLD-2: a queue is there, and its metadata are read, without a count of its messages")
    void withoutACount() throws Exception {
        for (int i = 0; i < 3; i++) {
            bench.responds(200, "", "x-ms-meta-a", "b");
        }

        assertThat(value(operations.exists())).isTrue();
        assertThat(value(operations.info()).metadata()).containsEntry("a", "b");
        assertThat(value(operations.info()).approximateCount()).isEqualTo(-1);
    }

    @Test
    @DisplayName("WORLD-3: a change of one metadata value keeps what another writer has stored")
    void keepsStoredMetadata() throws Exception {
        bench.responds(200, "", "x-ms-approximate-messages-count", "0", "x-ms-meta-my-name", "old", "x-ms-meta-e", "")
                .responds(204, "");
        value(operations.setMetadata(Map.of("my-name", "old", "e", "", "state", "done")));

        assertThat(wire.last().method()).isEqualTo("PUT");
        assertThat(wire.last().header("x-ms-meta-my-name")).isEqualTo("old");
        assertThat(wire.last().header("x-ms-meta-state")).isEqualTo("done");
    }

    @Test
    void removesAllMessages() throws Exception {
        bench.responds(204, "");
        value(operations.clear());

        assertThat(wire.last().method()).isEqualTo("DELETE");
        assertThat(wire.last().url()).isEqualTo(ROOT + "/orders/messages?timeout=30");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 33})
    void refusesOtherNumbersOfMessages(int max) throws Exception {
        String why = "max is 1 to 32 messages, not " + max;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.receive(max, MINUTE))
                .withMessage(why);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.peek(max))
                .withMessage(why);
        assertThat(wire.sent()).isEmpty();
    }

    @Test
    void otherSettingsServeTheSameQueue() throws Exception {
        QueueOperations impatient = operations.with(RetrySettings.builder()
                .backoff(io.stowline.retry.Backoff.none())
                .build());
        bench.responds(503, error("ServerBusy"));

        assertThat(failure(impatient.clear()).failure().attempts()).isEqualTo(1);
        assertThat(impatient.name()).isEqualTo("orders");
        assertThat(operations.retry()).isEqualTo(RetrySettings.defaults());
    }

    @Test
    @DisplayName("RETRY-7: a response that cannot be read is a failure with its facts, and shows nothing of itself")
    void unreadableResponses() throws Exception {
        bench.losesTheResponse().responds(201, "<html>no message</html>", "x-ms-request-id", "srv");
        var sending = bench.start(operations.send("text", null, null));
        bench.pass(MINUTE);

        assertThat(sending.failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .cause()
                .isInstanceOf(ProtocolException.class)
                .hasNoCause();
        assertThat(sending.failure().getMessage()).doesNotContain("no message");
        assertThat(sending.failure().failure())
                .matches(failure -> failure.attempts() == 2 && failure.unansweredAttempts() == 2)
                .matches(failure -> failure.status() == 201 && "srv".equals(failure.requestId()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MessageId", "PopReceipt", "TimeNextVisible", "InsertionTime", "ExpirationTime"})
    void respondsWithoutWhatMatters(String name) throws Exception {
        bench.responds(200, messages("text").replace(name, "Other"));

        assertThat(failure(operations.receive(1, MINUTE)))
                .isInstanceOf(ProtocolException.class)
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
    }

    @Test
    void anUpdateThatIsRespondedWithoutAReceipt() throws Exception {
        bench.responds(204, "");

        assertThat(failure(operations.update(message("id-1"), held(RECEIPT), null, MINUTE)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a response to a receive that is no list of messages is a protocol error, not an empty queue")
    @ValueSource(strings = {"", "{}", "<html><body>Please log in</body></html>", "<QueueMessagesList>"})
    void respondsThatAreNoList(String response) {
        for (int i = 0; i < 10; i++) {
            bench.responds(200, response, "x-ms-request-id", "theirs");
        }
        assertThat(bench.start(bench.client().receive(32, Duration.ofMinutes(1)))
                        .failure())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("receive orders")
                .hasMessageContaining("request-id theirs");
        assertThat(bench.start(bench.client().peek(32)).failure()).isInstanceOf(ProtocolException.class);
    }
}

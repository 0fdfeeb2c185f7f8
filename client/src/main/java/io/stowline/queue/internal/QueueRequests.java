package io.stowline.queue.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.projection.InvalidKeyException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.MessageXml.IncompleteResponseException;
import io.stowline.queue.internal.MessageXml.MessageElement;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests for one queue and its messages, and what their responses mean. Immutable.
 *
 * @param target the queue
 * @param headers the application's headers for all requests
 * @param url the address of the queue
 */
record QueueRequests(RequestTarget target, ExtraHeaders headers, String url) {

    private static final HttpHeaderName COUNT = HttpHeaderName.fromString("x-ms-approximate-messages-count");
    private static final HttpHeaderName POP_RECEIPT = HttpHeaderName.fromString("x-ms-popreceipt");
    private static final HttpHeaderName NEXT_VISIBLE = HttpHeaderName.fromString("x-ms-time-next-visible");
    private static final String XML = "application/xml";
    private static final DocumentedStatus READ = DocumentedStatus.status(200);
    private static final String MESSAGES = "/messages";
    private static final String METADATA = "x-ms-meta-";
    private static final int CREATED = 201;
    private static final DocumentedStatus MADE = DocumentedStatus.status(CREATED, 204);
    private static final DocumentedStatus SENT = DocumentedStatus.status(CREATED);
    private static final DocumentedStatus CHANGED = DocumentedStatus.status(204);

    private static final Logger LOG = LoggerFactory.getLogger(QueueRequests.class);

    /** Returns the same requests with other headers of the application. */
    QueueRequests with(ExtraHeaders others) {
        return new QueueRequests(target, others, url);
    }

    /** Returns the queue's name. */
    String queue() {
        return target.container();
    }

    /** Returns the creation of the queue, which gives whether the queue is new. */
    Exchange<Boolean> create(Map<String, String> metadata, RetrySettings retry) {
        Request request =
                withMetadata(request("create", target, OperationType.CREATE, HttpMethod.PUT, url, 1), metadata);
        return Exchange.of(request, retry, parser(MADE, response -> response.status() == CREATED));
    }

    /** Returns the removal of the queue. */
    Exchange<Boolean> drop(RetrySettings retry) {
        return changed(request("drop", target, OperationType.WRITE, HttpMethod.DELETE, url, 1), retry);
    }

    /** Returns a replacement of the metadata. */
    Exchange<Boolean> setMetadata(Map<String, String> metadata, RetrySettings retry) {
        Request request =
                request("setMetadata", target, OperationType.WRITE, HttpMethod.PUT, url + "?comp=metadata", 1);
        return changed(withMetadata(request, metadata), retry);
    }

    /** Returns the removal of all messages. */
    Exchange<Boolean> clear(RetrySettings retry) {
        return changed(request("clear", target, OperationType.WRITE, HttpMethod.DELETE, url + MESSAGES, 1), retry);
    }

    private static Request withMetadata(Request request, Map<String, String> metadata) {
        metadata.forEach((name, value) -> request.addHeader(HttpHeaderName.fromString(METADATA + name), value));
        return request.addHeader(HttpHeaderName.CONTENT_LENGTH, "0");
    }

    private static Exchange<Boolean> changed(Request request, RetrySettings retry) {
        return Exchange.of(request, retry, parser(CHANGED, response -> true));
    }

    /** Returns a send, whose result is the new message: one element of the response's list. */
    Exchange<MessageElement> send(
            String text, @Nullable Duration delay, @Nullable Duration timeToLive, RetrySettings retry) {
        String hidden = parameter('?', "visibilitytimeout", delay);
        String kept = parameter(hidden.isEmpty() ? '?' : '&', "messagettl", timeToLive);
        String address = url + MESSAGES + hidden + kept;
        Request request = request("send", target, OperationType.WRITE, HttpMethod.POST, address, 1)
                .body(XML, MessageXml.body(text));
        return Exchange.of(request, retry, parser(SENT, response -> {
            List<MessageElement> sent = MessageXml.messages(response.body());
            if (sent.size() != 1) {
                throw new IncompleteResponseException("the response lists " + sent.size() + " messages instead of 1");
            }
            return requireReceipt(sent.get(0));
        }));
    }

    private static String parameter(char separator, String name, @Nullable Duration time) {
        return time == null ? "" : separator + name + "=" + time.toSeconds();
    }

    Exchange<List<MessageElement>> receive(int max, Duration lease, RetrySettings retry) {
        String address = url + MESSAGES + "?numofmessages=" + max + "&visibilitytimeout=" + lease.toSeconds();
        Request request = request("receive", target, OperationType.READ, HttpMethod.GET, address, max);
        return Exchange.of(request, retry, parser(READ, response -> list(response, true)));
    }

    Exchange<List<MessageView>> peek(int max, RetrySettings retry) {
        String address = url + MESSAGES + "?peekonly=true&numofmessages=" + max;
        Request request = request("peek", target, OperationType.READ, HttpMethod.GET, address, max);
        return Exchange.of(request, retry, parser(READ, response -> list(response, false).stream()
                .map(message -> new MessageView(message.header(queue()), message.text(), response.origin()))
                .toList()));
    }

    /**
     * The state of a queue.
     *
     * @param count about how many messages it has, or {@code null} where the response lacks it
     * @param metadata its metadata, with the entries that users do not see
     */
    record QueueState(@Nullable Long count, Map<String, String> metadata, ReadOrigin origin) {

        /** Returns the count, or -1. */
        long counted() {
            return count == null ? -1 : count;
        }

        private static QueueState of(StorageResponse response) {
            String count = response.header(COUNT);
            return new QueueState(
                    count == null ? null : Long.valueOf(count),
                    response.headers().startingWith(METADATA),
                    response.origin());
        }
    }

    /** Returns a read of the queue's state. */
    Exchange<QueueState> state(String verb, boolean counted, RetrySettings retry) {
        return state(stateRequest(verb), counted, retry);
    }

    /** Returns a read of the queue's state to find out whether the queue exists. */
    Exchange<QueueState> existence(RetrySettings retry) {
        return state(stateRequest("exists").checkingExistence(), false, retry);
    }

    private Request stateRequest(String verb) {
        return request(verb, target, OperationType.READ, HttpMethod.GET, url + "?comp=metadata", 1);
    }

    private Exchange<QueueState> state(Request request, boolean counted, RetrySettings retry) {
        return Exchange.of(request, retry, parser(READ, response -> {
            if (counted && response.header(COUNT) == null) {
                throw new IncompleteResponseException("the response has no header " + COUNT.getCaseInsensitiveName());
            }
            return QueueState.of(response);
        }));
    }

    /** Returns a read of the service's clock, which each of its responses shows. */
    Exchange<Instant> time(RetrySettings retry) {
        Request request = request("serviceTime", target, OperationType.READ, HttpMethod.GET, url + "?comp=metadata", 1);
        return Exchange.of(request, retry, parser(READ, response -> {
            Instant date = response.date();
            if (date == null) {
                throw new IncompleteResponseException("the response has no header Date");
            }
            return date;
        }));
    }

    /**
     * An incomplete message among several fails alone: it comes again. If none is complete, the response is no list of
     * messages.
     */
    private List<MessageElement> list(StorageResponse response, boolean leased) throws IOException {
        List<MessageElement> messages = MessageXml.messages(response.body());
        List<MessageElement> complete = new ArrayList<>(messages.size());
        IncompleteResponseException fault = null;
        for (MessageElement message : messages) {
            try {
                complete.add(requireFields(message, leased));
            } catch (IncompleteResponseException e) {
                fault = e;
            }
        }
        if (fault != null && complete.isEmpty()) {
            throw fault;
        }
        if (fault != null) {
            LOG.warn(
                    "{} of {} messages of a response from {} are left out, since the response does not describe them:"
                            + " {}",
                    messages.size() - complete.size(),
                    messages.size(),
                    queue(),
                    fault.getMessage());
        }
        return complete;
    }

    /** Returns the message if it has all fields that a message of its kind has; the getters throw for one that is missing. */
    private static MessageElement requireFields(MessageElement message, boolean leased) {
        message.id();
        message.insertedAt();
        message.expiresAt();
        if (leased) {
            message.popReceipt();
            message.visibleAt();
        }
        return message;
    }

    /** A message that was sent is in the queue, whatever the response gives of its times. */
    private static MessageElement requireReceipt(MessageElement message) {
        message.id();
        message.popReceipt();
        return message;
    }

    Exchange<RenewedReceipt> update(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration lease, RetrySettings retry) {
        String address = address(message.id(), receipt.popReceipt()) + "&visibilitytimeout=" + lease.toSeconds();
        Request request =
                request("update", message(message.resource()), OperationType.WRITE, HttpMethod.PUT, address, 1);
        request = text == null
                ? request.addHeader(HttpHeaderName.CONTENT_LENGTH, "0")
                : request.body(XML, MessageXml.body(text));
        return Exchange.of(request, retry, parser(CHANGED, RenewedReceipt::of)).with(ExecutionOptions::settling);
    }

    Exchange<Boolean> delete(MessageHeader message, LeaseReceipt receipt, RetrySettings retry) {
        return delete(message.resource(), address(message.id(), receipt.popReceipt()), retry)
                .with(ExecutionOptions::settling);
    }

    Exchange<Boolean> delete(SendResult message, RetrySettings retry) {
        return delete(queue() + "(" + message.id() + ")", address(message.id(), message.popReceipt()), retry);
    }

    private Exchange<Boolean> delete(String resource, String address, RetrySettings retry) {
        return changed(request("delete", message(resource), OperationType.WRITE, HttpMethod.DELETE, address, 1), retry);
    }

    private String address(String id, String popReceipt) {
        if (id.isEmpty() || id.equals(".") || id.equals("..")) {
            throw new InvalidKeyException("a message id is the service's own and never '" + id + "'");
        }
        return url + MESSAGES + "/" + Request.encoded(id) + "?popreceipt=" + Request.encoded(popReceipt);
    }

    private RequestTarget message(String resource) {
        return RequestTarget.of(queue(), resource);
    }

    private Request request(
            String name, RequestTarget of, OperationType type, HttpMethod method, String address, int messages) {
        return Request.of(name, of, type, method, address)
                .costing(new RequestCost(url, messages, 0))
                .addHeader(HttpHeaderName.ACCEPT, XML)
                .addHeaders(headers);
    }

    /**
     * A second receive hides more messages, and a second send adds one: an executed request is not repeated for its
     * response.
     */
    private static <A> ResponseParser<A> parser(DocumentedStatus success, ResponseMeaning<A> meaning) {
        return success.parser(meaning, e -> new ParseResult.Unreadable<>(fault(e), false));
    }

    private static String fault(Exception e) {
        return e instanceof IncompleteResponseException
                ? String.valueOf(e.getMessage())
                : "the response cannot be parsed as requested (" + ParseResult.Unreadable.reason(e) + ")";
    }

    /**
     * The result of an update.
     *
     * @param popReceipt the new receipt
     * @param visibleAt when the new lease ends
     */
    record RenewedReceipt(String popReceipt, Instant visibleAt) {

        private static RenewedReceipt of(StorageResponse response) {
            String receipt = response.header(POP_RECEIPT);
            String visible = response.header(NEXT_VISIBLE);
            if (receipt == null || visible == null) {
                throw new IncompleteResponseException("the response has no header "
                        + (receipt == null ? POP_RECEIPT : NEXT_VISIBLE).getCaseInsensitiveName());
            }
            Instant visibleAt = HttpDates.parse(visible);
            if (visibleAt == null) {
                throw new IncompleteResponseException(
                        "the header " + NEXT_VISIBLE.getCaseInsensitiveName() + " of the response is no time");
            }
            return new RenewedReceipt(receipt, visibleAt);
        }
    }
}

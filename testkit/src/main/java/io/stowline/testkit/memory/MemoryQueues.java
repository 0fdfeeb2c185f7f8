package io.stowline.testkit.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The queue service of the memory account. Not thread-safe. */
final class MemoryQueues {

    private static final int MAX_MESSAGES = 32;
    private static final int DEFAULT_LEASE = 30;
    private static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofDays(7);
    private static final Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

    private final ServiceTimes times;
    private final Map<String, MemoryQueue> queues = new TreeMap<>();

    MemoryQueues(ServiceTimes times) {
        this.times = times;
    }

    void clear() {
        queues.clear();
    }

    /** A queue with its messages in the order of their insertion. */
    private static final class MemoryQueue {
        private Map<String, String> metadata = Map.of();
        private final List<StoredMessage> messages = new ArrayList<>();
    }

    /** A message in a queue. */
    private static final class StoredMessage {
        private final String id = UUID.randomUUID().toString();
        private final Instant inserted;
        private final Instant expires;
        private Instant visible;
        private String receipt;
        private String text;
        private int dequeued;

        StoredMessage(Instant inserted, Instant expires, Instant visible, String text) {
            this.inserted = inserted;
            this.expires = expires;
            this.visible = visible;
            this.text = text;
            this.receipt = receipt();
        }

        private static String receipt() {
            return UUID.randomUUID().toString().replace("-", "") + "+/==";
        }

        void hide(Instant until) {
            visible = until;
            receipt = receipt();
        }

        String xml(boolean held, boolean withText) {
            return "<QueueMessage>" + MemoryXml.element("MessageId", id)
                    + MemoryXml.element("InsertionTime", ServiceTimes.rfc1123(inserted))
                    + MemoryXml.element("ExpirationTime", ServiceTimes.rfc1123(expires))
                    + (held
                            ? MemoryXml.element("PopReceipt", receipt)
                                    + MemoryXml.element("TimeNextVisible", ServiceTimes.rfc1123(visible))
                            : "")
                    + (withText
                            ? MemoryXml.element("DequeueCount", Integer.toString(dequeued))
                                    + MemoryXml.element("MessageText", text)
                            : "")
                    + "</QueueMessage>";
        }
    }

    MemoryResponse respond(MemoryRequest request) {
        List<String> steps = request.steps();
        if (steps.isEmpty()) {
            if (request.has("comp", "list") && request.method().equals("GET")) {
                return list(request);
            }
            throw request.unknown();
        }
        if (steps.size() == 1) {
            return queue(request, steps.get(0));
        }
        MemoryQueue queue = there(steps.get(0));
        queue.messages.removeIf(message -> !message.expires.isAfter(times.now()));
        if (steps.get(1).equals("messages")) {
            return messages(request, queue);
        }
        if (steps.get(1).startsWith("messages/")) {
            return message(request, queue, steps.get(1).substring("messages/".length()));
        }
        throw request.unknown();
    }

    private MemoryResponse list(MemoryRequest request) {
        String prefix = request.parameter("prefix");
        StringBuilder xml = new StringBuilder("<EnumerationResults><Queues>");
        queues.forEach((name, queue) -> {
            if (prefix == null || name.startsWith(prefix)) {
                xml.append("<Queue>")
                        .append(MemoryXml.element("Name", name))
                        .append(MemoryXml.metadata(queue.metadata))
                        .append("</Queue>");
            }
        });
        return new MemoryResponse(200)
                .xml(xml.append("</Queues><NextMarker/></EnumerationResults>").toString());
    }

    private MemoryQueue there(String name) {
        MemoryQueue queue = queues.get(name);
        if (queue == null) {
            throw new RefusedOperation(404, "QueueNotFound", "The specified queue does not exist.");
        }
        return queue;
    }

    private MemoryResponse queue(MemoryRequest request, String name) {
        if (request.has("comp", "metadata")) {
            return metadata(request, there(name));
        }
        if (request.parameter("comp") != null) {
            throw request.unknown();
        }
        return switch (request.method()) {
            case "PUT" -> create(request, name);
            case "DELETE" -> {
                there(name);
                queues.remove(name);
                yield new MemoryResponse(204);
            }
            default -> throw request.unknown();
        };
    }

    private MemoryResponse create(MemoryRequest request, String name) {
        MemoryQueue known = queues.get(name);
        if (known == null) {
            MemoryQueue queue = new MemoryQueue();
            queue.metadata = request.metadata();
            queues.put(name, queue);
            return new MemoryResponse(201);
        }
        if (known.metadata.equals(request.metadata())) {
            return new MemoryResponse(204);
        }
        throw new RefusedOperation(409, "QueueAlreadyExists", "The specified queue already exists.");
    }

    private MemoryResponse metadata(MemoryRequest request, MemoryQueue queue) {
        if (request.method().equals("PUT")) {
            queue.metadata = request.metadata();
            return new MemoryResponse(204);
        }
        MemoryResponse response = new MemoryResponse(200);
        response.header("x-ms-approximate-messages-count", Integer.toString(queue.messages.size()));
        queue.metadata.forEach((name, value) -> response.header("x-ms-meta-" + name, value));
        return response;
    }

    private MemoryResponse messages(MemoryRequest request, MemoryQueue queue) {
        return switch (request.method()) {
            case "POST" -> send(request, queue);
            case "GET" -> request.has("peekonly", "true") ? peek(request, queue) : receive(request, queue);
            case "DELETE" -> {
                queue.messages.clear();
                yield new MemoryResponse(204);
            }
            default -> throw request.unknown();
        };
    }

    private static String text(MemoryRequest request) {
        return MemoryXml.children(request.body()).stream()
                .filter(child -> child.getKey().equals("MessageText"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new RefusedOperation(400, "InvalidXmlDocument", "MessageText is missing."));
    }

    private MemoryResponse send(MemoryRequest request, MemoryQueue queue) {
        Instant now = times.now();
        int kept = request.number("messagettl", (int) DEFAULT_TIME_TO_LIVE.toSeconds());
        StoredMessage message = new StoredMessage(
                now,
                kept < 0 ? NEVER : now.plusSeconds(kept),
                now.plusSeconds(request.number("visibilitytimeout", 0)),
                text(request));
        queue.messages.add(message);
        return new MemoryResponse(201).xml("<QueueMessagesList>" + message.xml(true, false) + "</QueueMessagesList>");
    }

    private List<StoredMessage> visible(MemoryRequest request, MemoryQueue queue) {
        int max = request.number("numofmessages", 1);
        if (max < 1 || max > MAX_MESSAGES) {
            throw new RefusedOperation(
                    400, "OutOfRangeQueryParameterValue", "numofmessages is 1 to 32, not " + max + ".");
        }
        Instant now = times.now();
        return queue.messages.stream()
                .filter(message -> !message.visible.isAfter(now))
                .limit(max)
                .toList();
    }

    private MemoryResponse receive(MemoryRequest request, MemoryQueue queue) {
        Instant until = times.now().plusSeconds(request.number("visibilitytimeout", DEFAULT_LEASE));
        StringBuilder xml = new StringBuilder("<QueueMessagesList>");
        for (StoredMessage message : visible(request, queue)) {
            message.dequeued++;
            message.hide(until);
            xml.append(message.xml(true, true));
        }
        return new MemoryResponse(200).xml(xml.append("</QueueMessagesList>").toString());
    }

    private MemoryResponse peek(MemoryRequest request, MemoryQueue queue) {
        StringBuilder xml = new StringBuilder("<QueueMessagesList>");
        visible(request, queue).forEach(message -> xml.append(message.xml(false, true)));
        return new MemoryResponse(200).xml(xml.append("</QueueMessagesList>").toString());
    }

    private MemoryResponse message(MemoryRequest request, MemoryQueue queue, String id) {
        StoredMessage message = queue.messages.stream()
                .filter(one -> one.id.equals(id))
                .findFirst()
                .orElseThrow(
                        () -> new RefusedOperation(404, "MessageNotFound", "The specified message does not exist."));
        if (!message.receipt.equals(request.parameter("popreceipt"))) {
            throw new RefusedOperation(
                    400,
                    "PopReceiptMismatch",
                    "The specified pop receipt did not match the pop receipt for a dequeued message.");
        }
        return switch (request.method()) {
            case "PUT" -> update(request, message);
            case "DELETE" -> {
                queue.messages.remove(message);
                yield new MemoryResponse(204);
            }
            default -> throw request.unknown();
        };
    }

    private MemoryResponse update(MemoryRequest request, StoredMessage message) {
        if (request.body().length > 0) {
            message.text = text(request);
        }
        message.hide(times.now().plusSeconds(request.number("visibilitytimeout", 0)));
        return new MemoryResponse(204)
                .header("x-ms-popreceipt", message.receipt)
                .header("x-ms-time-next-visible", ServiceTimes.rfc1123(message.visible));
    }
}

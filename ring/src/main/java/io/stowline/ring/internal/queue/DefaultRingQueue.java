package io.stowline.ring.internal.queue;

import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.ring.RingConsumer;
import io.stowline.ring.RingQueue;
import io.stowline.ring.internal.place.AccountWork;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** {@link RingQueue} over the queues of all accounts of a region. */
public final class DefaultRingQueue<T> implements RingQueue<T> {

    private final RingMembers members;
    private final String region;
    private final String name;
    private final Map<RingMember, MessageQueue<T>> queues;

    private DefaultRingQueue(RingMembers members, String region, String name, Map<RingMember, MessageQueue<T>> queues) {
        this.members = members;
        this.region = region;
        this.name = name;
        this.queues = queues;
    }

    /** Returns the queue of a name in all accounts of a region. */
    public static <T> RingQueue<T> of(RingMembers members, String region, String name, Class<T> type) {
        Map<RingMember, MessageQueue<T>> queues = new LinkedHashMap<>();
        members.of(region).forEach(member -> queues.put(member, member.client().queue(name, type)));
        return new DefaultRingQueue<>(members, region, name, queues);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, MessageQueue<T>> queues() {
        Map<String, MessageQueue<T>> named = new LinkedHashMap<>();
        queues.forEach((member, queue) -> named.put(member.name(), queue));
        return Collections.unmodifiableMap(named);
    }

    @Override
    public boolean createIfMissing() {
        return inAll(ReactiveMessageQueue::createIfMissing).contains(true);
    }

    @Override
    public boolean exists() {
        return !inAll(ReactiveMessageQueue::exists).contains(false);
    }

    @Override
    public boolean dropIfExists() {
        return inAll(ReactiveMessageQueue::dropIfExists).contains(true);
    }

    @Override
    public long approximateCount() {
        return inAll(ReactiveMessageQueue::approximateCount).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private <R> List<R> inAll(Function<ReactiveMessageQueue<T>, Mono<R>> work) {
        queues.keySet().forEach(members::checked);
        return AccountWork.onEach(
                queues.keySet(), member -> work.apply(at(member).reactive()));
    }

    private MessageQueue<T> at(RingMember member) {
        return Objects.requireNonNull(queues.get(member), "an account of the region");
    }

    private RingMember home(String placement) {
        return members.after(region, placement);
    }

    @Override
    public SendResult send(String placement, T body, UnaryOperator<SendSettings.Builder> settings) {
        RingMember home = home(Objects.requireNonNull(placement, "placement"));
        return home.call(() -> at(home).send(body, settings));
    }

    @Override
    public List<ItemResult<T, SendResult>> sendAll(
            Iterable<? extends T> bodies, Function<? super T, String> placement) {
        Objects.requireNonNull(placement, "placement");
        List<RingMember> homes = new ArrayList<>();
        Map<RingMember, List<T>> shares = new LinkedHashMap<>();
        for (T body : Objects.requireNonNull(bodies, "bodies")) {
            Objects.requireNonNull(body, "body");
            RingMember home = home(Objects.requireNonNull(placement.apply(body), "the placement of a body is null"));
            homes.add(home);
            shares.computeIfAbsent(home, first -> new ArrayList<>()).add(body);
        }
        Map<RingMember, Deque<ItemResult<T, SendResult>>> ends = new LinkedHashMap<>();
        List<RingMember> some = List.copyOf(shares.keySet());
        List<List<ItemResult<T, SendResult>>> results = AccountWork.onEach(
                some, member -> at(member).reactive().sendAll(Objects.requireNonNull(shares.get(member))));
        for (int i = 0; i < some.size(); i++) {
            ends.put(some.get(i), new ArrayDeque<>(results.get(i)));
        }
        return homes.stream()
                .map(home -> named(home, Objects.requireNonNull(ends.get(home)).remove()))
                .toList();
    }

    private static <T> ItemResult<T, SendResult> named(RingMember home, ItemResult<T, SendResult> end) {
        if (end.error() != null) {
            home.named(end.error());
        }
        return end;
    }

    @Override
    public RingConsumer consume(
            QueueConsumer.Handler<MessageLease<T>> handler, UnaryOperator<QueueConsumer.Builder> settings) {
        return started(settings, queue -> queue.consume(handler));
    }

    @Override
    public RingConsumer consumeBatches(
            int size,
            QueueConsumer.Handler<QueueConsumer.Batch<T>> handler,
            UnaryOperator<QueueConsumer.Builder> settings) {
        return started(settings, queue -> queue.consumeBatches(size, handler));
    }

    private RingConsumer started(
            UnaryOperator<QueueConsumer.Builder> settings,
            Function<MessageQueue<T>, QueueConsumer.Builder> consumption) {
        Objects.requireNonNull(settings, "settings");
        Map<RingMember, QueueConsumer> consumers = new LinkedHashMap<>();
        try {
            queues.forEach(
                    (member, queue) -> consumers.put(member, member.call(() -> settings.apply(consumption.apply(queue))
                            .start())));
            RingConsumer consumer = new DefaultRingConsumer(name, consumers, members.work());
            members.work().opened(consumer);
            return consumer;
        } catch (RuntimeException e) {
            consumers.values().forEach(QueueConsumer::close);
            throw e;
        }
    }

    @Override
    public <R> RingQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view) {
        Objects.requireNonNull(view, "view");
        Map<RingMember, MessageQueue<R>> views = new LinkedHashMap<>();
        queues.forEach((member, queue) -> views.put(member, Objects.requireNonNull(view.apply(queue), "the view")));
        return new DefaultRingQueue<>(members, region, name, views);
    }

    @Override
    public String toString() {
        return "RingQueue[" + name + "]";
    }
}

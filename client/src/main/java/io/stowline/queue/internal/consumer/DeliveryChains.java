package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries in hand by the ids of their messages. Later deliveries of a message wait behind its first one. Only in the serial executor.
 */
final class DeliveryChains {

    private final Map<String, InHandMessage> first = new LinkedHashMap<>();
    private int later;

    /** Returns the number of deliveries. */
    int size() {
        return first.size() + later;
    }

    /** Returns the number of their messages. */
    int messages() {
        return first.size();
    }

    /** Returns the first delivery of a message, or {@code null} if none is in hand. */
    @Nullable
    InHandMessage first(String id) {
        return first.get(id);
    }

    /** Adds a message in hand. */
    void add(InHandMessage message) {
        first.put(message.keeper().id(), message);
    }

    /** Appends a delivery behind the last one of its message. */
    void append(InHandMessage last, InHandMessage message) {
        last.next(message);
        later++;
    }

    /** Returns the delivery that this keeper has, or {@code null} if it is forgotten. */
    @Nullable
    InHandMessage find(LeaseKeeper keeper) {
        InHandMessage one = first.get(keeper.id());
        while (one != null && one.keeper() != keeper) {
            one = one.next();
        }
        return one;
    }

    /** Returns all deliveries. */
    List<InHandMessage> all() {
        List<InHandMessage> each = new ArrayList<>(size());
        first.values().forEach(head -> {
            for (InHandMessage one = head; one != null; one = one.next()) {
                each.add(one);
            }
        });
        return each;
    }

    /** Returns whether a delivery waits behind another one. */
    boolean isLater(InHandMessage message) {
        return first.get(message.keeper().id()) != message;
    }

    /** Forgets a delivery. Returns the one that is the first of its message instead, or {@code null} if none has waited for that. */
    @Nullable
    InHandMessage remove(InHandMessage message) {
        String id = message.keeper().id();
        InHandMessage next = message.next();
        if (isLater(message)) {
            unlink(message);
            return null;
        }
        if (next == null) {
            first.remove(id);
        } else {
            first.put(id, next);
            later--;
        }
        return next;
    }

    private void unlink(InHandMessage message) {
        for (InHandMessage one = first.get(message.keeper().id()); one != null; one = one.next()) {
            if (one.next() == message) {
                one.next(message.next());
                later--;
            }
        }
    }
}

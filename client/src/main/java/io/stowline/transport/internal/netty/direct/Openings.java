package io.stowline.transport.internal.netty.direct;

import io.stowline.transport.internal.netty.direct.ConnectionPool.Opening;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The connections of a pool that are on their way, the oldest first. A request relies on prompt ones; a slow one keeps its place within the bound.
 * Guarded by the lock of its pool.
 */
final class Openings {

    private final Set<Opening> openings = new LinkedHashSet<>();

    void add(Opening opening) {
        openings.add(opening);
    }

    boolean contains(Opening opening) {
        return openings.contains(opening);
    }

    boolean remove(Opening opening) {
        return openings.remove(opening);
    }

    int size() {
        return openings.size();
    }

    /** Returns how many are prompt. */
    int prompt(long now) {
        int prompt = openings.size();
        for (Opening oldest : openings) {
            if (oldest.prompt(now)) {
                break;
            }
            prompt--;
        }
        return prompt;
    }

    /** Returns the time at which the first of the prompt ones becomes slow, or the greatest number if there are none. */
    long firstSlow(long now) {
        long first = Long.MAX_VALUE;
        for (Opening opening : openings) {
            if (opening.prompt(now)) {
                first = Math.min(first, opening.slowAt());
            }
        }
        return first;
    }

    /**
     * Removes those that no request waits for after some have left without a connection: the next ones, their retries among them, must
     * not rely on the same openings. The oldest go first. Of the slow ones, too, as many stay as there are requests, so that none loses an
     * opening to the end of another request.
     *
     * @return the connections to close
     */
    List<HttpConnection> giveUpSurplus(int waiting, long now) {
        List<Opening> surplus = new ArrayList<>(0);
        int prompt = prompt(now);
        int slow = openings.size() - prompt;
        for (Opening opening : openings) {
            int left = opening.prompt(now) ? prompt-- : slow--;
            if (left > waiting) {
                surplus.add(opening);
            }
        }
        return giveUp(surplus);
    }

    /**
     * Removes all.
     *
     * @return the connections to close
     */
    List<HttpConnection> giveUpAll() {
        return giveUp(List.copyOf(openings));
    }

    private List<HttpConnection> giveUp(List<Opening> unwanted) {
        List<HttpConnection> begun = new ArrayList<>(unwanted.size());
        for (Opening opening : unwanted) {
            openings.remove(opening);
            HttpConnection connection = opening.connection();
            if (connection != null) {
                begun.add(connection);
            }
        }
        return begun;
    }
}

package io.stowline.examples.shared;

import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import reactor.util.context.ContextView;

/** Counts what a client sends, and notes what the service has to look at for it. Thread-safe. */
public final class RequestLog implements StowlineListener {

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Set<String> classes = ConcurrentHashMap.newKeySet();

    /** Counts the requests of operations. */
    private record Counting(LongAdder requests) implements OperationListener {

        @Override
        public void onRequestEnd(RequestEnd request) {
            requests.increment();
        }
    }

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        String queryClass = operation.queryClass();
        if (queryClass != null) {
            classes.add(queryClass);
        }
        return new Counting(requests.computeIfAbsent(operation.service(), service -> new LongAdder()));
    }

    /** Forgets what was logged. */
    public void clear() {
        requests.clear();
        classes.clear();
    }

    /**
     * How many requests were made; one that had to be repeated counts once.
     *
     * @return the number since the beginning
     */
    public long requests() {
        return requests.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /**
     * How many requests of them were made to a service.
     *
     * @param service {@code table}, {@code queue} or {@code blob}
     * @return the number since the beginning
     */
    public long requests(String service) {
        LongAdder made = requests.get(service);
        return made == null ? 0 : made.sum();
    }

    /**
     * The classes of the reads.
     *
     * @return the labels of all that there were since the beginning, in their order
     */
    public Set<String> classes() {
        return new TreeSet<>(classes);
    }
}

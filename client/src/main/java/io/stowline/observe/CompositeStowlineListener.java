package io.stowline.observe;

import io.stowline.caching.ResponseCache;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Several listeners as one. A listener that throws keeps no event from the others. */
final class CompositeStowlineListener implements StowlineListener {

    private static final Logger LOG = LoggerFactory.getLogger(CompositeStowlineListener.class);

    private final List<StowlineListener> listeners;

    private CompositeStowlineListener(List<StowlineListener> listeners) {
        this.listeners = listeners;
    }

    static StowlineListener of(List<StowlineListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : new CompositeStowlineListener(List.copyOf(listeners));
    }

    @Override
    public void onServiceOpened(ServiceState state) {
        each(listeners, listener -> listener.onServiceOpened(state));
    }

    @Override
    public void onServiceClosed(ServiceState state) {
        each(listeners, listener -> listener.onServiceClosed(state));
    }

    @Override
    public void onCacheOpened(String account, ResponseCache cache) {
        each(listeners, listener -> listener.onCacheOpened(account, cache));
    }

    @Override
    public void onCacheClosed(String account, ResponseCache cache) {
        each(listeners, listener -> listener.onCacheClosed(account, cache));
    }

    @Override
    public void onConsumerEvent(ConsumerEvent event) {
        each(listeners, listener -> listener.onConsumerEvent(event));
    }

    @Override
    public void onAttemptEnd(AttemptEvent event) {
        each(listeners, listener -> listener.onAttemptEnd(event));
    }

    @Override
    public void onQueryPage(QueryPageEvent event) {
        each(listeners, listener -> listener.onQueryPage(event));
    }

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        List<OperationListener> started = listeners.stream()
                .map(listener -> start(listener, operation, context))
                .filter(listener -> listener != OperationListener.NONE)
                .toList();
        return switch (started.size()) {
            case 0 -> OperationListener.NONE;
            case 1 -> started.get(0);
            default -> new CompositeOperation(started);
        };
    }

    private static OperationListener start(StowlineListener listener, OperationInfo operation, ContextView context) {
        try {
            return Objects.requireNonNull(
                    listener.onOperationStart(operation, context), "the result of onOperationStart");
        } catch (Throwable e) {
            LOG.warn("a listener failed", e);
            return OperationListener.NONE;
        }
    }

    @Override
    public void runDetached(Runnable work) {
        runDetached(listeners.iterator(), work);
    }

    private static void runDetached(Iterator<StowlineListener> outer, Runnable work) {
        if (outer.hasNext()) {
            each(List.of(outer.next()), listener -> listener.runDetached(() -> runDetached(outer, work)));
        } else {
            work.run();
        }
    }

    private static <L> void each(List<L> listeners, Consumer<L> event) {
        for (L listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                LOG.warn("a listener failed", e);
            }
        }
    }

    private record CompositeOperation(List<OperationListener> listeners) implements OperationListener {

        @Override
        public Context context(Context context) {
            Context all = context;
            for (OperationListener listener : listeners) {
                try {
                    all = listener.context(all);
                } catch (Throwable e) {
                    LOG.warn("a listener failed", e);
                }
            }
            return all;
        }

        @Override
        public Map<String, String> headers() {
            Map<String, String> all = new LinkedHashMap<>();
            each(listeners, listener -> listener.headers().forEach(all::putIfAbsent));
            return all;
        }

        @Override
        public void run(Runnable code) {
            run(listeners.iterator(), code);
        }

        private static void run(Iterator<OperationListener> outer, Runnable code) {
            if (outer.hasNext()) {
                each(List.of(outer.next()), listener -> listener.run(() -> run(outer, code)));
            } else {
                code.run();
            }
        }

        @Override
        public void onRequestEnd(RequestEnd request) {
            each(listeners, listener -> listener.onRequestEnd(request));
        }

        @Override
        public void onOperationEnd(OperationEnd end) {
            each(listeners, listener -> listener.onOperationEnd(end));
        }
    }
}

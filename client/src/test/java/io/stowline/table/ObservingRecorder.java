package io.stowline.table;

import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Writes down all that a listener receives. */
public final class ObservingRecorder implements StowlineListener {

    /** The key in the Reactor context of an operation's requests. */
    public static final String KEY = "recorded operation";

    /** One operation and what was reported of it, in its order. */
    public record RecordedOperation(OperationInfo operation, List<RequestEnd> requests, List<OperationEnd> ends)
            implements OperationListener {

        @Override
        public Context context(Context context) {
            return context.put(KEY, operation.name());
        }

        @Override
        public void onRequestEnd(RequestEnd request) {
            requests.add(request);
        }

        @Override
        public void onOperationEnd(OperationEnd end) {
            ends.add(end);
        }

        /** Returns its only end. */
        public OperationEnd end() {
            if (ends.size() != 1) {
                throw new AssertionError(operation + " has the ends " + ends);
            }
            return ends.get(0);
        }
    }

    private final List<RecordedOperation> operations = new CopyOnWriteArrayList<>();
    private final List<String> services = new CopyOnWriteArrayList<>();

    @Override
    public void onServiceOpened(ServiceState state) {
        services.add("opened " + state.account() + " " + state.service());
    }

    @Override
    public void onServiceClosed(ServiceState state) {
        services.add("closed " + state.account() + " " + state.service());
    }

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        RecordedOperation reported =
                new RecordedOperation(operation, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        operations.add(reported);
        return reported;
    }

    /** All operations, in the order of their beginning. */
    public List<RecordedOperation> operations() {
        return operations;
    }

    /** Returns the reports on services. */
    public List<String> services() {
        return services;
    }

    /** The only operation. */
    public RecordedOperation only() {
        if (operations.size() != 1) {
            throw new AssertionError("not one operation but " + operations);
        }
        return operations.get(0);
    }
}

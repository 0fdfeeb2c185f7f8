package io.stowline.table.simulation;

import io.stowline.observe.OperationEnd;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import reactor.util.context.ContextView;

/** Throws at every second opportunity. */
final class ThrowingListener implements StowlineListener, OperationListener {

    private int calls;

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        maybe();
        return this;
    }

    @Override
    public void onRequestEnd(RequestEnd request) {
        maybe();
    }

    @Override
    public void onOperationEnd(OperationEnd end) {
        maybe();
    }

    private void maybe() {
        if (++calls % 2 == 0) {
            throw new IllegalStateException("thrown by a listener");
        }
    }
}

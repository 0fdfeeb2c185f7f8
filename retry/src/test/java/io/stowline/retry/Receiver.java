package io.stowline.retry;

import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** A subscriber that keeps what it receives and cancels when the test says so. */
public final class Receiver<T> implements CoreSubscriber<T> {

    private final List<T> values = new ArrayList<>();
    private final Context context;
    private Subscription subscription;
    private Throwable error;
    private boolean completed;

    public Receiver() {
        this(Context.empty());
    }

    public Receiver(Context context) {
        this.context = context;
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription s) {
        subscription = s;
    }

    @Override
    public void onNext(T value) {
        values.add(value);
    }

    @Override
    public void onError(Throwable thrown) {
        error = thrown;
    }

    @Override
    public void onComplete() {
        completed = true;
    }

    public Receiver<T> request() {
        subscription.request(1);
        return this;
    }

    public void cancel() {
        subscription.cancel();
    }

    public boolean empty() {
        return values.isEmpty() && error == null && !completed;
    }

    public boolean failed() {
        return error != null;
    }

    public boolean completed() {
        return completed && error == null;
    }

    /** The one value, after which the source completed. */
    public T value() {
        if (values.size() != 1 || !completed || error != null) {
            throw new AssertionError("expected one value but got " + values + ", error " + error, error);
        }
        return values.get(0);
    }

    public Throwable error() {
        if (!values.isEmpty() || completed || error == null) {
            throw new AssertionError("expected an error but got " + values + ", completed " + completed);
        }
        return error;
    }
}

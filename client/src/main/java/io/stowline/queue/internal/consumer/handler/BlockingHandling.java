package io.stowline.queue.internal.consumer.handler;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A handling that runs a blocking handler on an executor; cancelling interrupts its thread, and no other work of that thread. */
public final class BlockingHandling implements MessageHandling {

    private static final String CALLER_RUNS =
            "runs handlers on its caller's thread, where they would hold up the consumer and each stop; executor(..)"
                    + " needs other threads, or has to reject what it has no thread for";

    private final HandlerScope handlerScope = new HandlerScope();
    private final Executor executor;
    private final Function<List<LeaseKeeper>, ObservedCode> observation;
    private final Code code;

    /** A handler of the application. */
    @FunctionalInterface
    public interface Code {

        /**
         * Handles messages.
         *
         * @throws Exception if they are to be received again
         */
        void run(List<LeaseKeeper> messages) throws Exception;
    }

    /**
     * A handler.
     *
     * @param executor runs it
     * @param observation begins the observation of a call
     */
    public BlockingHandling(Executor executor, Function<List<LeaseKeeper>, ObservedCode> observation, Code code) {
        this.executor = executor;
        this.observation = observation;
        this.code = code;
    }

    @Override
    public HandlerCall start(List<LeaseKeeper> messages, Progress progress) {
        InterruptibleCall interruptibleCall = new InterruptibleCall(messages, progress);
        try {
            executor.execute(interruptibleCall);
        } catch (Throwable e) {
            interruptibleCall.refuse(e);
        }
        interruptibleCall.starter = null;
        return interruptibleCall;
    }

    /**
     * Refuses an executor that runs tasks on the thread that gives them to it: a stop waits on that thread, and the consumer stands still.
     *
     * @throws IllegalArgumentException if it does so with a task that does nothing
     */
    public static Executor checked(Executor executor) {
        AtomicReference<@Nullable Thread> runner = new AtomicReference<>();
        try {
            executor.execute(() -> runner.set(Thread.currentThread()));
        } catch (RejectedExecutionException e) {
            return executor;
        }
        if (runner.get() == Thread.currentThread()) {
            throw new IllegalArgumentException("the executor " + CALLER_RUNS);
        }
        return executor;
    }

    @Override
    public boolean isInHandler() {
        return handlerScope.isHere();
    }

    private final class InterruptibleCall implements HandlerCall, Runnable {

        private final List<LeaseKeeper> messages;
        private final Progress progress;
        private volatile @Nullable ObservedCode observed;
        /** The thread that hands this call to the executor, as long as it does. */
        private volatile @Nullable Thread starter = Thread.currentThread();

        private @Nullable Thread thread;
        private @Nullable Throwable thrown;
        private boolean entered;
        private boolean cancelled;

        InterruptibleCall(List<LeaseKeeper> messages, Progress progress) {
            this.messages = messages;
            this.progress = progress;
        }

        @Override
        public void run() {
            if (starter == Thread.currentThread()) {
                refuse(new RejectedExecutionException("the executor " + CALLER_RUNS));
                return;
            }
            try {
                enter();
                progress.began();
                ObservedCode call = observation.apply(messages);
                observed = call;
                call.run(this::handle);
            } catch (Throwable e) {
                thrown = e;
            } finally {
                leave();
                end();
            }
        }

        private void handle() {
            handlerScope.run(() -> {
                try {
                    code.run(messages);
                } catch (Throwable e) {
                    thrown = e;
                }
            });
        }

        private void end() {
            ObservedCode call = observed;
            try {
                if (call != null) {
                    call.ended(thrown);
                }
            } finally {
                release();
            }
        }

        /** A call that runs inside another handler must not leave the next handlers to its thread. */
        private void release() {
            if (HandlerScope.isOutside()) {
                HandlerThreads.afterHandler(() -> progress.ended(thrown));
            } else {
                progress.ended(thrown);
            }
        }

        private void refuse(Throwable why) {
            if (withdraw()) {
                progress.refused(why);
            }
        }

        /** Keeps the call from running later. Returns false if it runs or has run. */
        private synchronized boolean withdraw() {
            cancelled |= !entered;
            return !entered;
        }

        private synchronized void enter() {
            if (cancelled) {
                throw new CancellationException("cancelled before it began");
            }
            entered = true;
            thread = Thread.currentThread();
        }

        /** Takes back an interrupt of this call, which the thread's next task must not see. */
        @SuppressWarnings("ThreadInterruptedResultIgnored")
        private synchronized void leave() {
            if (cancelled && thread != null) {
                Thread.interrupted();
            }
            thread = null;
        }

        @Override
        public synchronized void cancel() {
            cancelled = true;
            if (thread != null) {
                ObservedCode call = observed;
                try {
                    if (call != null) {
                        call.cancelled();
                    }
                } finally {
                    thread.interrupt();
                }
            }
        }
    }
}

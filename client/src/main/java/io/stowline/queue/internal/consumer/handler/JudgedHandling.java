package io.stowline.queue.internal.consumer.handler;

import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.queue.internal.consumer.lease.HandlingFailure;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/** A handling whose failures code of the application judges, on the thread that ends the handler. */
public final class JudgedHandling implements MessageHandling {

    private static final Logger LOG = LoggerFactory.getLogger(JudgedHandling.class);

    private final HandlerScope handlerScope = new HandlerScope();
    private final MessageHandling handling;
    private final BiFunction<LeaseKeeper, Throwable, FailureAction> judge;

    /**
     * A handling.
     *
     * @param handling runs the handler
     * @param judge decides on the consequence of a failure
     */
    public JudgedHandling(MessageHandling handling, BiFunction<LeaseKeeper, Throwable, FailureAction> judge) {
        this.handling = handling;
        this.judge = judge;
    }

    @Override
    public HandlerCall start(List<LeaseKeeper> messages, Progress progress) {
        JudgedProgress judged = new JudgedProgress(messages, progress);
        HandlerCall call = handling.start(messages, judged);
        return () -> {
            judged.cancelled = true;
            call.cancel();
        };
    }

    @Override
    public boolean isInHandler() {
        return handlerScope.isHere() || handling.isInHandler();
    }

    @Override
    public boolean isInHandler(ContextView context) {
        return handling.isInHandler(context);
    }

    private void judge(LeaseKeeper message, @Nullable Throwable error) {
        HandlingFailure failure = message.failure();
        Throwable cause = failure.or(error);
        if (cause == null || message.isOver() || failure.isUnreadable()) {
            return;
        }
        handlerScope.run(() -> {
            try {
                failure.judge(judge.apply(message, cause));
            } catch (Throwable e) {
                LOG.warn(
                        "the failure handler failed for {}, whose failure counts",
                        message.header().resource(),
                        UserCode.printable(e));
            }
        });
    }

    /** A cancelled handler fails because of that: its messages are lost, or have failed by the handler's timeout. */
    private final class JudgedProgress implements Progress {

        private final List<LeaseKeeper> messages;
        private final Progress progress;
        private volatile boolean cancelled;

        JudgedProgress(List<LeaseKeeper> messages, Progress progress) {
            this.messages = messages;
            this.progress = progress;
        }

        @Override
        public void began() {
            progress.began();
        }

        @Override
        public void ended(@Nullable Throwable error) {
            if (!cancelled) {
                messages.forEach(message -> judge(message, error));
            }
            progress.ended(error);
        }

        @Override
        public void refused(Throwable error) {
            progress.refused(error);
        }
    }
}

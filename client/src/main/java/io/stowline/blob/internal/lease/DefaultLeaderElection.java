package io.stowline.blob.internal.lease;

import io.stowline.blob.LeaderElection;
import io.stowline.blob.LeaderTerm;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.error.internal.PrintableText;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * {@link LeaderElection} whose work runs in the thread of its caller.
 *
 * @param containers gives the context of a container's face
 */
public record DefaultLeaderElection(Election election, Function<Object, BlobContext> containers)
        implements LeaderElection {

    @Override
    public String name() {
        return election.name();
    }

    @Override
    public void whileLeading(Consumer<? super LeaderTerm> work) {
        Objects.requireNonNull(work, "work");
        led(election.elected(), work);
    }

    @Override
    public boolean tryLeading(Consumer<? super LeaderTerm> work) {
        Objects.requireNonNull(work, "work");
        return led(election.candidacy(), work);
    }

    private boolean led(Mono<Term> candidacy, Consumer<? super LeaderTerm> work) {
        Term term = known(candidacy);
        if (term == null) {
            return false;
        }
        LeadingThread thread = new LeadingThread();
        term.holder().onLost(thread::interrupt);
        @Nullable Throwable thrown = null;
        try {
            work.accept(new DefaultLeaderTerm(term, containers));
        } catch (Throwable e) {
            thrown = e;
        }
        thread.end();
        end(term, thrown);
        return true;
    }

    /** An interrupt may come after the election and before its caller knows. */
    private static @Nullable Term known(Mono<Term> candidacy) {
        AtomicReference<@Nullable Term> known = new AtomicReference<>();
        try {
            return BlockingAwait.on(candidacy.doOnNext(known::set));
        } catch (RuntimeException e) {
            Term term = known.get();
            if (term != null) {
                term.abandon();
            }
            throw e;
        }
    }

    private static void end(Term term, @Nullable Throwable thrown) {
        if (thrown == null) {
            BlockingAwait.onEvenIfInterrupted(term.end());
            return;
        }
        Throwable meaning = term.asLeaseLoss(thrown);
        try {
            BlockingAwait.onEvenIfInterrupted(term.holder().releaseIfHeld());
        } catch (RuntimeException e) {
            meaning.addSuppressed(e);
        }
        throw Exceptions.propagate(meaning);
    }

    @Override
    public String toString() {
        return "LeaderElection[" + PrintableText.of(election.resource()) + "]";
    }

    /** The thread that runs the work of a term, and is interrupted when the term is lost. Thread-safe. */
    private static final class LeadingThread {

        private final Thread thread = Thread.currentThread();
        private boolean over;
        private boolean interrupted;

        synchronized void interrupt() {
            if (!over) {
                interrupted = true;
                thread.interrupt();
            }
        }

        /** The interrupt was for the work, not for its caller. */
        synchronized void end() {
            over = true;
            if (interrupted) {
                boolean unused = Thread.interrupted();
            }
        }
    }
}

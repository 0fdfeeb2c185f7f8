package io.stowline.ring.internal.move;

import io.stowline.ring.RingMismatchException;
import io.stowline.ring.RingMoveSupersededException;
import io.stowline.ring.StrayEntitiesException;
import io.stowline.table.EntityKey;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The change of a ring: its phases, and in each phase a pass over all partitions and blobs that move. Before a pass the mover waits until no
 * process goes by an older description. Every method can be repeated after a failure and goes on.
 */
public final class RingMover {

    private final String before;
    private final String after;
    private final DescriptionStore descriptions;
    private final List<? extends PartitionStore> tables;
    private final MovePause pause;
    private final Duration quiet;
    private final Runnable refuseForgotten;
    private final MovePasses passes;
    private final String mover = UUID.randomUUID().toString();

    /**
     * Makes a mover.
     *
     * @param before the accounts before the change
     * @param after the accounts after it
     * @param quiet the time after which no process goes by an older description, and no call that did so is still running
     * @param parallelism how many partitions are visited at a time
     * @param refuseForgotten throws if an account has a table that takes no part
     * @param progress gets each partition that was visited
     */
    public RingMover(
            String before,
            String after,
            DescriptionStore descriptions,
            List<? extends PartitionStore> tables,
            List<? extends ContainerMover> containers,
            MovePause pause,
            Duration quiet,
            int parallelism,
            Runnable refuseForgotten,
            Consumer<MovePass> progress) {
        this.before = before;
        this.after = after;
        this.descriptions = descriptions;
        this.tables = List.copyOf(tables);
        this.pause = pause;
        this.quiet = quiet;
        this.refuseForgotten = refuseForgotten;
        this.passes = new MovePasses(descriptions, this.tables, List.copyOf(containers), parallelism, progress);
    }

    /**
     * One visit of a mover.
     *
     * @param table the table or container with its region
     * @param partitionKey the partition or blob
     * @param moved whether it was elsewhere
     */
    public record MovePass(String table, String partitionKey, boolean moved) {}

    /** Brings all partitions to their new homes. */
    public void run() {
        RingDescription now = present();
        if (isEnded(now, after)) {
            return;
        }
        switch (now.phase()) {
            case STEADY -> {
                refuseStrays();
                now = next(now, RingPhase.MOVING, RingEpoch.NEW);
            }
            case RETURNED -> now = next(now, RingPhase.MOVING, RingEpoch.NEW);
            case MOVED -> {
                if (isComplete()) {
                    publish(now, RingPhase.MOVED, RingEpoch.NEW);
                    return;
                }
                now = next(now, RingPhase.SETTLING, RingEpoch.NEW);
            }
            case FINISHING -> throw new IllegalStateException("the change is being finished: call finish()");
            default -> now = next(now, now.phase(), RingEpoch.NEW);
        }
        if (now.phase() == RingPhase.MOVING) {
            bring(now);
            refuseForgotten.run();
            now = next(now, RingPhase.SETTLING, RingEpoch.NEW);
        }
        if (now.phase() == RingPhase.SETTLING) {
            bring(now);
            // A table that an application has created since then is in its old homes, too, and no process would read it
            // there.
            refuseForgotten.run();
            publish(now, RingPhase.MOVED, RingEpoch.NEW);
        }
    }

    /** Brings all partitions back to their old homes, and removes what is left in the new ones. */
    public void rollback() {
        RingDescription now = present();
        if (now.phase() == RingPhase.FINISHING || isEnded(now, after)) {
            throw new IllegalStateException("the change is finished and cannot be rolled back: what was left is gone");
        }
        if (now.phase() == RingPhase.STEADY) {
            if (!isEverywhere(now)) {
                end(now, before);
            }
            return;
        }
        now = next(now, now.phase() == RingPhase.MOVED ? RingPhase.SETTLING : now.phase(), RingEpoch.OLD);
        if (now.phase() == RingPhase.SETTLING) {
            bring(now);
            now = next(now, RingPhase.MOVING, RingEpoch.OLD);
        }
        if (now.phase() == RingPhase.MOVING) {
            bring(now);
            now = next(now, RingPhase.RETURNED, RingEpoch.OLD);
        }
        passes.clean(now);
        end(now, before);
    }

    /** Ends the change: removes what is left in the old homes. */
    public void finish() {
        RingDescription now = present();
        if (isEnded(now, after)) {
            if (isEverywhere(now)) {
                return;
            }
        } else {
            if (now.phase() != RingPhase.MOVED && now.phase() != RingPhase.FINISHING) {
                throw new IllegalStateException(
                        "the ring is in the phase " + now.phase() + ": run the move to its end first");
            }
            if (now.phase() == RingPhase.MOVED && !isComplete()) {
                throw new IllegalStateException("partitions are not in their new homes: run the move again");
            }
            now = next(now, RingPhase.FINISHING, RingEpoch.NEW);
            passes.clean(now);
        }
        end(now, after);
    }

    /** Returns whether the change is finished: the ring after it is steady. */
    public boolean isFinished() {
        return isEnded(present(), after);
    }

    private void refuseStrays() {
        for (PartitionStore table : tables) {
            List<EntityKey> strays = table.joined();
            if (!strays.isEmpty()) {
                throw new StrayEntitiesException(table.name(), PartitionMover.STRAY, strays);
            }
        }
    }

    private boolean isEverywhere(RingDescription now) {
        return descriptions.accounts().stream().map(descriptions::read).allMatch(now::isSame);
    }

    private static boolean isEnded(RingDescription now, String accounts) {
        return now.phase() == RingPhase.STEADY && now.before().equals(accounts);
    }

    private boolean isComplete() {
        HomeCount count = count();
        return count.old() == 0 && count.moving() == 0;
    }

    /** Returns how many partitions are in which home, without changing anything. */
    public HomeCount count() {
        RingDescription now = present();
        List<@Nullable RingEpoch> homes = passes.homes(now, isEnded(now, after));
        return new HomeCount(
                now.phase(),
                homes.stream().filter(RingEpoch.OLD::equals).count(),
                homes.stream().filter(RingEpoch.NEW::equals).count(),
                homes.stream().filter(home -> home == null).count());
    }

    /**
     * The partitions whose homes differ, each counted once for each account in which it has rows.
     *
     * @param phase the phase of the change
     * @param old in their old homes
     * @param changed in their new homes
     * @param moving between both
     */
    public record HomeCount(RingPhase phase, long old, long changed, long moving) {}

    private void bring(RingDescription now) {
        passes.bring(now, () -> refuseLater(now));
    }

    private void refuseLater(RingDescription now) {
        RingDescription there = descriptions.read(descriptions.accounts().get(0));
        if (there != null && there.term() > now.term()) {
            throw new RingMoveSupersededException(now.term(), there.term());
        }
    }

    /** Returns the description of the highest term. */
    private RingDescription present() {
        RingDescription latest = RingDescription.first(before);
        for (String account : descriptions.accounts()) {
            RingDescription there = descriptions.read(account);
            if (there != null && there.term() >= latest.term()) {
                latest = there;
            }
        }
        boolean ours = latest.before().equals(before) && latest.after().equals(after);
        boolean steady = latest.phase() == RingPhase.STEADY
                && (latest.before().equals(before) || latest.before().equals(after));
        if (!ours && !steady) {
            throw new RingMismatchException("the move from " + before + " to " + after, latest.toString());
        }
        return latest;
    }

    private RingDescription next(RingDescription now, RingPhase phase, RingEpoch target) {
        RingDescription next = publish(now, phase, target);
        pause.await(quiet);
        return next;
    }

    private RingDescription publish(RingDescription now, RingPhase phase, RingEpoch target) {
        long term = now.term() + 1;
        long since = now.target() == target ? now.since() : term;
        return publish(new RingDescription(before, after, phase, term, target, since, mover, ""));
    }

    private void end(RingDescription now, String accounts) {
        long term = now.term() + 1;
        publish(new RingDescription(accounts, accounts, RingPhase.STEADY, term, RingEpoch.OLD, term, mover, ""));
    }

    private RingDescription publish(RingDescription next) {
        for (String account : descriptions.accounts()) {
            while (true) {
                RingDescription there = descriptions.read(account);
                if (there != null
                        && there.term() == next.term()
                        && there.mover().equals(mover)) {
                    break;
                }
                if (there != null && there.term() >= next.term()) {
                    throw new RingMoveSupersededException(next.term(), there.term());
                }
                descriptions.write(account, next, there == null ? null : there.etag());
            }
        }
        return next;
    }
}

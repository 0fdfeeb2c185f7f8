package io.stowline.ring.internal.blob;

import io.stowline.ring.RingMoveSupersededException;
import io.stowline.ring.internal.move.ContainerMover;
import io.stowline.ring.internal.move.RingDescription;
import io.stowline.ring.internal.move.RingEpoch;
import io.stowline.ring.internal.move.RingPhase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link ContainerMover} by steps that each depend on the version that was read, so that a mover that begins again goes on. */
public final class BlobMover implements ContainerMover {

    private final BlobStore store;

    public BlobMover(BlobStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public void createIfMissing() {
        store.createIfMissing();
    }

    @Override
    public List<String> accounts() {
        return store.accounts();
    }

    @Override
    public List<String> blobs(String account, @Nullable String after) {
        return store.blobs(account, after);
    }

    @Override
    public boolean moves(String account, String blob) {
        return store.moves(account, blob);
    }

    @Override
    public boolean bring(String blob, RingDescription now, Runnable confirm) {
        MoverVisit visit = new MoverVisit(blob, now);
        boolean moved = false;
        while (true) {
            confirm.run();
            BlobPlace old = store.find(RingEpoch.OLD, blob);
            refuseLater(old, now.term());
            if (visit.isDone(old)) {
                return moved;
            }
            moved = true;
        }
    }

    private static void refuseLater(@Nullable BlobPlace place, long term) {
        if (place != null && place.term() > term) {
            throw new RingMoveSupersededException(term, place.term());
        }
    }

    /** One visit. Each step is followed by a reading of the old home, so that a mover that lost it stops before the next one. */
    private final class MoverVisit {

        private final String blob;
        private final RingDescription now;
        private final long term;

        /** The version of the old blob whose copy is complete, so that a late request may name the new home. */
        private String copied = "";

        MoverVisit(String blob, RingDescription now) {
            this.blob = blob;
            this.now = now;
            this.term = now.term();
        }

        /** Returns whether there is nothing to do; otherwise it has made one step. */
        boolean isDone(@Nullable BlobPlace old) {
            if (now.phase() == RingPhase.SETTLING) {
                return now.target() == RingEpoch.NEW ? toNew(old) : named(old);
            }
            return now.target() == RingEpoch.NEW ? prepared(old) : toOld(old);
        }

        private @Nullable BlobPlace there() {
            BlobPlace there = store.find(RingEpoch.NEW, blob);
            refuseLater(there, term);
            return there;
        }

        private boolean mark(RingEpoch home, @Nullable BlobPlace from, BlobStage stage) {
            return store.mark(home, blob, from, stage, term);
        }

        private boolean toNew(@Nullable BlobPlace old) {
            if (old == null) {
                return true;
            }
            if (old.stage() == BlobStage.MOVED) {
                return opened(old);
            }
            if (!old.is(BlobStage.FROZEN, term)) {
                mark(RingEpoch.OLD, old, BlobStage.FROZEN);
                return false;
            }
            BlobPlace there = there();
            if (there != null && there.is(BlobStage.FROZEN, term) && copied.equals(old.etag())) {
                mark(RingEpoch.OLD, old, BlobStage.MOVED);
            } else if (there == null || !there.is(BlobStage.COPYING, term)) {
                refuseStray(old, there);
                mark(RingEpoch.NEW, there, BlobStage.COPYING);
            } else if (store.copy(RingEpoch.OLD, old, RingEpoch.NEW, there, BlobStage.FROZEN, term)) {
                copied = old.etag();
                mark(RingEpoch.OLD, old, BlobStage.MOVED);
            }
            return false;
        }

        /** An open blob in the new home, beside one that has not moved there, is none of the ring. */
        private void refuseStray(@Nullable BlobPlace old, @Nullable BlobPlace there) {
            if (there == null || there.stage() != BlobStage.OPEN) {
                return;
            }
            BlobPlace still = store.find(RingEpoch.OLD, blob);
            if (old == null ? still == null : still != null && still.etag().equals(old.etag())) {
                throw new IllegalStateException("the " + store.name() + " has the blob " + blob
                        + " in the account that it is about to get, where no move has left it: write what is missing"
                        + " through the ring, and delete it there by client(account)");
            }
        }

        /** A new version of the old blob stops a mover in the other direction before the new home opens. */
        private boolean opened(BlobPlace old) {
            if (old.term() != term) {
                mark(RingEpoch.OLD, old, BlobStage.MOVED);
                return false;
            }
            BlobPlace there = there();
            if (there == null || there.stage() == BlobStage.OPEN) {
                return true;
            }
            if (there.stage() == BlobStage.FROZEN) {
                mark(RingEpoch.NEW, there, BlobStage.OPEN);
            } else {
                store.remove(RingEpoch.NEW, there);
            }
            return false;
        }

        /** Before blobs are born in their new homes, leftovers of a move back must be gone there. */
        private boolean prepared(@Nullable BlobPlace old) {
            if (old != null && old.stage() == BlobStage.MOVED) {
                return opened(old);
            }
            if (old != null && old.stage() == BlobStage.FROZEN) {
                mark(RingEpoch.OLD, old, BlobStage.OPEN);
                return false;
            }
            BlobPlace there = there();
            if (there == null) {
                return true;
            }
            refuseStray(old, there);
            store.remove(RingEpoch.NEW, there);
            return false;
        }

        /** Blobs that were born in their new homes get a leftover in the old one, by which the next phase finds them. */
        private boolean named(@Nullable BlobPlace old) {
            if (old != null || there() == null) {
                return true;
            }
            mark(RingEpoch.OLD, null, BlobStage.MOVED);
            return false;
        }

        private boolean toOld(@Nullable BlobPlace old) {
            if (old == null || old.stage() == BlobStage.OPEN) {
                return true;
            }
            if (old.stage() != BlobStage.MOVED) {
                mark(RingEpoch.OLD, old, BlobStage.OPEN);
                return false;
            }
            BlobPlace there = there();
            if (there == null || there.stage() == BlobStage.COPYING) {
                mark(RingEpoch.NEW, there, BlobStage.CLOSED);
            } else if (there.is(BlobStage.CLOSED, term)) {
                store.remove(RingEpoch.OLD, old);
            } else if (there.is(BlobStage.FROZEN, term)) {
                store.copy(RingEpoch.NEW, there, RingEpoch.OLD, old, BlobStage.OPEN, term);
            } else {
                mark(RingEpoch.NEW, there, there.stage() == BlobStage.CLOSED ? BlobStage.CLOSED : BlobStage.FROZEN);
            }
            return false;
        }
    }

    @Override
    public @Nullable RingEpoch home(String blob) {
        BlobPlace old = store.find(RingEpoch.OLD, blob);
        if (old != null && old.stage() != BlobStage.MOVED) {
            return old.stage() == BlobStage.OPEN ? RingEpoch.OLD : null;
        }
        BlobPlace there = store.find(RingEpoch.NEW, blob);
        return there == null || there.stage() == BlobStage.OPEN ? RingEpoch.NEW : null;
    }

    @Override
    public void clean(String blob, RingEpoch target) {
        RingEpoch left = target == RingEpoch.NEW ? RingEpoch.OLD : RingEpoch.NEW;
        BlobPlace rest = store.find(left, blob);
        while (rest != null) {
            store.remove(left, rest);
            rest = store.find(left, blob);
        }
        BlobPlace there = target == RingEpoch.NEW ? store.find(target, blob) : null;
        if (there != null && there.stage() == BlobStage.COPYING) {
            store.remove(target, there);
        }
    }
}

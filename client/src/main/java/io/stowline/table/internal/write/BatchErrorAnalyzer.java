package io.stowline.table.internal.write;

import io.stowline.error.internal.StatusMeaning.Culprit;
import io.stowline.transport.internal.error.ServiceError;

/** The rules by which a refused batch judges its operations: one of them is to blame, or none can ever succeed. */
public final class BatchErrorAnalyzer {

    private BatchErrorAnalyzer() {}

    /** Returns whether the refusal names one of {@code size} operations, so that the others may go without it. */
    public static boolean names(ServiceError refusal, int size) {
        return size > 1 && indexed(refusal, size) && refusal.meaning().culprit() == Culprit.ENTITY;
    }

    /**
     * Returns whether one operation is to blame for the end of a transaction of {@code size}, and not the service, the
     * table or the key.
     */
    public static boolean blames(ServiceError refusal, int size) {
        Culprit culprit = refusal.meaning().culprit();
        return (size == 1 || indexed(refusal, size)) && (culprit == Culprit.ENTITY || culprit == Culprit.OPERATION);
    }

    private static boolean indexed(ServiceError refusal, int size) {
        return refusal.index() >= 0 && refusal.index() < size;
    }

    /**
     * Returns whether fewer operations at a time may succeed: the body was too long, or the service ran out of time.
     */
    public static boolean tooMuch(ServiceError refusal) {
        return refusal.meaning().culprit() == Culprit.SIZE;
    }

    /** Returns whether none of the writer's operations can succeed. */
    public static boolean dooms(ServiceError refusal) {
        return refusal.meaning().culprit() == Culprit.TABLE;
    }
}

package io.stowline.advisor.internal.rule;

import io.stowline.advisor.internal.evidence.Snapshot;

/** A rule that judges one practice: a pure function. */
@FunctionalInterface
public interface PracticeRule {

    /** Judges a practice. */
    Judgement judge(Snapshot traffic, Levels levels);
}

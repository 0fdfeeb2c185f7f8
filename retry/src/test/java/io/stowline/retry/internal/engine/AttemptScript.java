package io.stowline.retry.internal.engine;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Attempts that end as a test wrote down, and the verdicts on them: the last one is repeated. */
public final class AttemptScript implements Function<Attempt, Mono<String>>, Classifier<String> {

    private final List<Verdict> verdicts;
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();

    private AttemptScript(List<Verdict> verdicts) {
        this.verdicts = verdicts;
    }

    /** Makes attempts that give the result {@code "answer n"}, judged by the nth verdict. */
    public static AttemptScript of(Verdict... verdicts) {
        return new AttemptScript(List.of(verdicts));
    }

    @Override
    public Mono<String> apply(Attempt attempt) {
        attempts.add(attempt);
        return Mono.just("answer " + attempt.number());
    }

    @Override
    public Verdict classify(@Nullable String result, @Nullable Throwable error) {
        return verdicts.get(Math.min(attempts.size(), verdicts.size()) - 1);
    }

    public ScriptedCall<String> call(RetrySettings settings, Deadline deadline) {
        return ScriptedCall.<String>of(settings, deadline, this, this).discarding(discarded::add);
    }

    public int sent() {
        return attempts.size();
    }

    public Attempt attempt(int number) {
        return attempts.get(number - 1);
    }

    public List<String> discarded() {
        return discarded;
    }
}

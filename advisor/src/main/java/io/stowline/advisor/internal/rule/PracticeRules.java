package io.stowline.advisor.internal.rule;

import io.stowline.advisor.Practice;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The table of rules: one for each practice. */
public final class PracticeRules {

    private static final Map<Practice, PracticeRule> RULES = new EnumMap<>(Practice.class);

    static {
        RULES.put(Practice.A1, AccountRules::targets);
        RULES.put(Practice.A2, AccountRules.keyOrder("blob", "names"));
        RULES.put(Practice.A3, AccountRules::bandwidth);
        RULES.put(Practice.A4, AccountRules::link);
        RULES.put(Practice.A5, AccountRules::place);
        RULES.put(Practice.A8, AccountRules::unchanged);
        RULES.put(Practice.A9, AccountRules::aggregation);
        RULES.put(Practice.A10, ClientRules::connections);
        RULES.put(Practice.A11, ClientRules::threads);
        RULES.put(Practice.A12, ClientRules::runtime);
        RULES.put(
                Practice.A13,
                ClientRules.withoutSdk(
                        "Clients of the Azure SDK have no permits: their callers alone decide how much is in flight.",
                        AccountRules::parallelism));
        RULES.put(Practice.A14, ClientRules::versions);
        RULES.put(Practice.A15, AccountRules::backoff);
        RULES.put(Practice.A16, AccountRules::refusals);
        RULES.put(Practice.B1, BlobRules::readers);
        RULES.put(Practice.B2, BlobRules::limits);
        RULES.put(Practice.B3, BlobRules::copies);
        RULES.put(
                Practice.B4,
                ClientRules.withoutSdk(
                        "The content of a download by the Azure SDK arrives after the policy has seen its response.",
                        BlobRules.transfers(
                                Tally.DOWNLOADS, Tally.DOWNLOAD_NANOS, Tally.DOWNLOAD_OVERLAPS, "Downloads")));
        RULES.put(Practice.B5, BlobRules::volume);
        RULES.put(Practice.B7, BlobRules::blocks);
        RULES.put(
                Practice.B8, BlobRules.transfers(Tally.UPLOADS, Tally.UPLOAD_NANOS, Tally.UPLOAD_OVERLAPS, "Uploads"));
        RULES.put(Practice.B10, BlobRules::blockSizes);
        RULES.put(Practice.T1, TableRules::targets);
        RULES.put(Practice.T2, ClientRules::json);
        RULES.put(Practice.T3, ClientRules.nagle("table"));
        RULES.put(Practice.T5, AccountRules.keyOrder("table", "partition keys"));
        RULES.put(Practice.T6, TableRules::hotPartition);
        RULES.put(Practice.T7, QueryRules::classes);
        RULES.put(Practice.T8, QueryRules::density);
        RULES.put(Practice.T10, QueryRules::projection);
        RULES.put(Practice.T11, QueryRules::indexes);
        RULES.put(Practice.T12, TableRules::transactions);
        RULES.put(Practice.T13, TableRules::upserts);
        RULES.put(Practice.T16, QueryRules::continuations);
        RULES.put(Practice.T17, TableRules::keyWidth);
        RULES.put(Practice.T18, TableRules::overlapping);
        RULES.put(Practice.T20, TableRules::limits);
        RULES.put(Practice.T21, TableRules::granularity);
        RULES.put(Practice.Q1, QueueRules::target);
        RULES.put(Practice.Q2, ClientRules.nagle("queue"));
        RULES.put(Practice.Q3, QueueRules::messages);
        RULES.put(Practice.Q4, QueueRules::batches);
        RULES.put(Practice.Q5, QueueRules::polls);
        RULES.put(Practice.Q6, QueueRules::leases);
        RULES.put(
                Practice.Q7,
                ClientRules.withoutSdk(
                        "Only Stowline's consumers report how the handling of a message ends.", QueueRules::poison));
    }

    private PracticeRules() {}

    /** Returns the rule of a practice; a practice of guides is not applicable, with its reason. */
    public static PracticeRule of(Practice practice) {
        if (practice.kind() == Practice.Kind.GUIDE) {
            return (traffic, levels) -> Judgement.notApplicable(PracticeTexts.limits(practice));
        }
        return Objects.requireNonNull(RULES.get(practice), "rule");
    }
}

package io.stowline.advisor;

import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.advisor.internal.evidence.ClientRegister;
import io.stowline.advisor.internal.evidence.EvidenceStore;
import io.stowline.advisor.internal.evidence.KeyTexts;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.rule.Judgement;
import io.stowline.advisor.internal.rule.Levels;
import io.stowline.advisor.internal.rule.PracticeRules;
import io.stowline.advisor.internal.rule.PracticeTexts;
import io.stowline.advisor.internal.sdk.SdkTrafficPolicy;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The advisor of the clients of a process: it listens to their traffic and judges the proven practices by it.
 *
 * <p>One advisor listens to any number of clients. It judges at each {@link #report}, and at the end of each tenth of its window while
 * there is traffic. Each change of a judgement to or from a broken practice is one line of the logger {@code io.stowline.advice}.
 *
 * <p>It has no thread and sends no request. Its evidence takes less than a megabyte. An event that meets another one waits in a short
 * queue; while that is full, events are dropped and counted.
 *
 * <p>Thread-safe.
 */
public final class Advisor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.advice");

    private final AdvisorSettings settings;
    private final EvidenceStore evidence;
    private final ClientRegister clients;
    private final StowlineListener listener = new EvidenceListener();
    private final Map<Practice, State> states = new EnumMap<>(Practice.class);
    private volatile boolean closed;

    /** The present severity of a practice, and its begin. */
    private record State(Severity severity, Instant since) {}

    private Advisor(AdvisorSettings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.evidence = new EvidenceStore(settings.window(), settings.clock(), new KeyTexts(settings.showKeys()));
        this.clients = new ClientRegister(settings.clock());
    }

    /**
     * Returns an advisor with the default settings.
     *
     * @return the advisor
     */
    public static Advisor create() {
        return new Advisor(AdvisorSettings.builder().build());
    }

    /**
     * Returns an advisor.
     *
     * @param settings changes the settings
     * @return the advisor
     */
    public static Advisor of(UnaryOperator<AdvisorSettings.Builder> settings) {
        return new Advisor(settings.apply(AdvisorSettings.builder()).build());
    }

    /**
     * Returns an advisor.
     *
     * @param settings the settings
     * @return the advisor
     */
    public static Advisor of(AdvisorSettings settings) {
        return new Advisor(settings);
    }

    /**
     * Returns the listener that feeds it, for any number of clients.
     *
     * @return the listener
     */
    public StowlineListener listener() {
        return listener;
    }

    /**
     * Returns the policy that feeds it with the attempts of Azure SDK clients, for {@code addPolicy} of any number of their builders. It
     * changes no request and fails none. Without a Stowline client reports name the practices that such traffic cannot show.
     *
     * <pre>{@code
     * Advisor advisor = Advisor.create();
     * TableServiceClient tables = new TableServiceClientBuilder()
     *         .connectionString(connectionString)
     *         .addPolicy(advisor.policy())
     *         .buildClient();
     * }</pre>
     *
     * @return the policy, placed so that each attempt passes it
     */
    public HttpPipelinePolicy policy() {
        clients.addSdk();
        return new SdkTrafficPolicy(listener);
    }

    /**
     * Returns the settings.
     *
     * @return the settings
     */
    public AdvisorSettings settings() {
        return settings;
    }

    /**
     * Judges the window that ends now. The facts of a Stowline client, such as its connections, are those at the moment: take the report
     * before the client is closed.
     *
     * @return the report
     */
    public synchronized AdviceReport report() {
        Snapshot traffic = evidence.snapshot(clients.present());
        List<Finding> rows = new ArrayList<>();
        for (Practice practice : Practice.values()) {
            rows.add(judge(practice, traffic));
        }
        return new AdviceReport(traffic.end(), traffic.covered(), traffic.totals(), traffic.timeline(), rows);
    }

    private Finding judge(Practice practice, Snapshot traffic) {
        State before = states.getOrDefault(practice, new State(Severity.NOT_ENOUGH_DATA, traffic.end()));
        Judgement judgement = PracticeRules.of(practice).judge(traffic, new Levels(settings, before.severity()));
        boolean changed = judgement.severity() != before.severity();
        State present = changed ? new State(judgement.severity(), traffic.end()) : before;
        states.put(practice, present);
        Finding finding = new Finding(
                practice,
                judgement.severity(),
                judgement.problem(),
                judgement.evidence(),
                judgement.objects(),
                PracticeTexts.mend(practice),
                PracticeTexts.code(practice),
                PracticeTexts.limits(practice),
                traffic.covered(),
                present.since(),
                suppression(practice, traffic.end()));
        if (changed && finding.suppression() == null) {
            log(finding, before.severity());
        }
        return finding;
    }

    private @Nullable Suppression suppression(Practice practice, Instant at) {
        Suppression suppression = settings.suppressions().get(practice);
        return suppression != null && suppression.holdsOn(LocalDate.ofInstant(at, ZoneOffset.UTC)) ? suppression : null;
    }

    private static void log(Finding finding, Severity before) {
        if (finding.severity().isBroken()) {
            LOG.warn("{}. {} {}", finding, finding.mend(), finding.link());
        } else if (before.isBroken()) {
            LOG.info("{} {} (was {}): {}", finding.severity(), finding.practice(), before, finding.problem());
        }
    }

    /** Judges in the background what a report would show. */
    private void judgeSoon() {
        try {
            settings.executor().execute(this::report);
        } catch (RejectedExecutionException e) {
            LOG.debug("the executor of the advisor takes no judgement", e);
        }
    }

    /** Ends listening: further events change nothing. A report is still possible. */
    @Override
    public void close() {
        closed = true;
    }

    /** The listener to all clients. */
    private final class EvidenceListener implements StowlineListener {

        @Override
        public void onServiceOpened(ServiceState state) {
            if (!closed) {
                clients.add(state);
            }
        }

        @Override
        public void onServiceClosed(ServiceState state) {
            clients.remove(state);
        }

        @Override
        public void onAttemptEnd(AttemptEvent event) {
            if (!closed && evidence.add(event)) {
                judgeSoon();
            }
        }

        @Override
        public void onQueryPage(QueryPageEvent event) {
            if (!closed) {
                evidence.add(event);
            }
        }

        @Override
        public void onConsumerEvent(ConsumerEvent event) {
            if (!closed) {
                evidence.add(event);
            }
        }
    }
}

package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;
import static io.stowline.advisor.Severity.WARNING;

import io.stowline.advisor.Severity;
import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.ClientFacts;
import io.stowline.advisor.internal.evidence.ServiceFacts;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import io.stowline.observe.ClientInfo.ConnectionInfo;
import java.util.Objects;
import java.util.function.BiFunction;

/** The rules of practices that the library obeys by itself, judged by the facts of the running clients. */
final class ClientRules {

    private static final int YEAR_CHARS = 4;

    private ClientRules() {}

    /** A rule that judges open clients only. */
    private static Judgement ofClients(Snapshot traffic, BiFunction<ClientFacts, Integer, Judgement> rule) {
        ClientFacts clients = traffic.clients();
        return clients.services().isEmpty()
                ? Judgement.notApplicable(
                        "No Stowline client is open: closed ones and clients of the Azure SDK do not show these facts.")
                : rule.apply(clients, clients.services().size());
    }

    /** Returns a rule for what the traffic of Azure SDK clients alone cannot show. */
    static PracticeRule withoutSdk(String reason, PracticeRule rule) {
        return (traffic, levels) ->
                traffic.clients().onlySdk() ? Judgement.notApplicable(reason) : rule.judge(traffic, levels);
    }

    /** Judges A10. */
    static Judgement connections(Snapshot traffic, Levels levels) {
        return ofClients(traffic, (clients, number) -> {
            Judgement.Builder judgement = levels.judge(number, 1);
            for (ServiceFacts one : clients.services()) {
                ConnectionInfo pool = one.info().connections();
                if (pool != null) {
                    judgement
                            .fact(
                                    "connections of " + one.service(),
                                    pool.maxConnections() + " for " + one.info().maxParallelism() + " permits")
                            .raise(
                                    pool.maxConnections() < one.info().maxParallelism(),
                                    WARNING,
                                    "The pool has fewer connections than the client has permits.");
                }
            }
            return judgement
                    .over(
                            Threshold.CLIENTS_BUILT,
                            "clients built in the last hour",
                            clients.builtInLastHour(),
                            ADVICE,
                            "Clients are built again and again, each with new connections and limits that start low.")
                    .build("Each client has a connection for each of its permits.");
        });
    }

    /** Judges A11. */
    static Judgement threads(Snapshot traffic, Levels levels) {
        return ofClients(traffic, (clients, number) -> levels.judge(number, 1)
                .fact("client", clients.services().get(0).info().libraryVersion())
                .fact("threads", "a blocking call is one wait; event loops refuse it")
                .build("Blocking callers take no thread of the client, and cannot block its event loops."));
    }

    /** Judges A12. */
    static Judgement runtime(Snapshot traffic, Levels levels) {
        ClientFacts clients = traffic.clients();
        return levels.judge(1, 1)
                .figure("processors", clients.processors(), "")
                .under(
                        Threshold.JAVA_VERSION,
                        "Java",
                        clients.javaVersion(),
                        true,
                        ADVICE,
                        "The Java runtime is older than the least version that is set.")
                .build("The Java runtime is current enough.");
    }

    /** Judges A14. */
    static Judgement versions(Snapshot traffic, Levels levels) {
        return ofClients(traffic, (clients, number) -> {
            ServiceFacts first = clients.services().get(0);
            return levels.judge(number, 1)
                    .fact("client", first.info().libraryVersion())
                    .fact("azure-core", first.info().azureCoreVersion())
                    .fact("service version", first.info().serviceVersion())
                    .under(
                            Threshold.SERVICE_VERSION,
                            "year of the service version",
                            clients.services().stream()
                                    .mapToInt(ClientRules::year)
                                    .min()
                                    .orElse(0),
                            true,
                            ADVICE,
                            "Requests have an old version of the service's protocol.")
                    .build("The client and the service version are current.");
        });
    }

    private static int year(ServiceFacts one) {
        String version = one.info().serviceVersion();
        try {
            return Integer.parseInt(version.substring(0, Math.min(YEAR_CHARS, version.length())));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Judges T2. */
    static Judgement json(Snapshot traffic, Levels levels) {
        long heavy = traffic.count(Tally.HEAVY_READS);
        return levels.judge(traffic.count(Tally.LIGHT_READS) + heavy, 1)
                .figure("responses in JSON with little metadata", traffic.count(Tally.LIGHT_READS), "responses")
                .figure("responses in another form", heavy, "responses")
                .raise(heavy > 0, ADVICE, "Responses of tables come with full metadata, or not in JSON.")
                .build("Responses of tables are JSON with the least metadata that keeps types.");
    }

    /** Judges T3 and Q2. */
    static PracticeRule nagle(String service) {
        return (traffic, levels) -> {
            var pools = traffic.clients().services().stream()
                    .filter(one -> one.service().equals(service))
                    .map(one -> one.info().connections())
                    .filter(Objects::nonNull)
                    .toList();
            if (pools.isEmpty()) {
                return Judgement.notApplicable(
                        "No client of this service shows its sockets: it has not opened the service, or has an HTTP"
                                + " client of the application.");
            }
            boolean off = pools.stream().allMatch(ConnectionInfo::noDelay);
            return levels.judge(pools.size(), 1)
                    .fact("TCP_NODELAY", off ? "on" : "off")
                    .raise(!off, Severity.WARNING, "Nagle's algorithm delays small requests.")
                    .build("Nagle's algorithm is off on the sockets of the clients.");
        };
    }
}

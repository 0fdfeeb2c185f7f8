package io.stowline.system.ledger;

import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.verdict.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The figures of the clients side by side, in Markdown. */
final class LedgerTable {

    private static final String ALL = "all";

    private final Map<Client, List<Page>> pages;
    private final StringBuilder table = new StringBuilder();

    private LedgerTable(Map<Client, List<Page>> pages) {
        this.pages = new TreeMap<>(pages);
    }

    static String of(Map<Client, List<Page>> pages) {
        LedgerTable ledger = new LedgerTable(pages);
        ledger.kinds();
        ledger.table.append('\n');
        ledger.rules();
        ledger.table.append('\n');
        ledger.faults();
        return ledger.table.toString();
    }

    private void kinds() {
        Map<Client, Map<String, Page.Figures>> sums = new TreeMap<>();
        pages.forEach((client, all) -> sums.put(client, sum(all)));
        Set<String> kinds = new TreeSet<>();
        sums.values().forEach(sum -> kinds.addAll(sum.keySet()));
        kinds.remove(ALL);
        head("operation", List.of("operations", "unknown", "wrong", "twice"));
        kinds.forEach(kind -> line(kind, sums));
        line(ALL, sums);
    }

    private static Map<String, Page.Figures> sum(List<Page> pages) {
        Map<String, Page.Figures> sum = new TreeMap<>();
        pages.forEach(page -> page.kinds().forEach((kind, more) -> {
            sum.merge(kind, more, Page.Figures::plus);
            sum.merge(ALL, more, Page.Figures::plus);
        }));
        return sum;
    }

    private void line(String kind, Map<Client, Map<String, Page.Figures>> sums) {
        List<Object> cells = new ArrayList<>(List.of(kind));
        sums.values().forEach(sum -> {
            Page.Figures figures = sum.getOrDefault(kind, Page.Figures.NONE);
            cells.addAll(List.of(figures.operations(), figures.unknown(), figures.wrong(), figures.twice()));
        });
        row(cells);
    }

    private void rules() {
        Map<String, Map<Client, Integer>> rules = new TreeMap<>();
        pages.forEach((client, all) -> all.forEach(page -> page.violations()
                .forEach(violation -> rules.computeIfAbsent(rule(violation), rule -> new TreeMap<>())
                        .merge(client, 1, Integer::sum))));
        head("violated", List.of(""));
        rules.forEach(this::cells);
    }

    private void faults() {
        Map<String, Map<Client, Integer>> faults = new TreeMap<>();
        pages.forEach((client, all) -> all.forEach(page -> {
            page.faults().forEach((fault, count) -> add(faults, fault, client, count));
            add(faults, "operation carried out too late", client, page.beyond());
            add(faults, "order of an entity's writes not found", client, page.undecided());
        }));
        head("played", List.of(""));
        faults.forEach(this::cells);
    }

    private static void add(Map<String, Map<Client, Integer>> sums, String title, Client client, int count) {
        sums.computeIfAbsent(title, name -> new TreeMap<>()).merge(client, count, Integer::sum);
    }

    private void cells(String title, Map<Client, Integer> counts) {
        List<Object> cells = new ArrayList<>(List.of(title));
        pages.keySet().forEach(client -> cells.add(counts.getOrDefault(client, 0)));
        row(cells);
    }

    private static String rule(String violation) {
        return violation.lines().findFirst().orElse("").replaceAll(" \\(.*", "");
    }

    private void head(String first, List<String> ofEach) {
        List<Object> titles = new ArrayList<>(List.of(first));
        List<Object> lines = new ArrayList<>(List.of("---"));
        pages.keySet()
                .forEach(client -> ofEach.forEach(title -> {
                    titles.add((client + " " + title).strip());
                    lines.add("---:");
                }));
        row(titles);
        row(lines);
    }

    private void row(List<Object> cells) {
        table.append("| ");
        table.append(String.join(" | ", cells.stream().map(Object::toString).toList()));
        table.append(" |\n");
    }
}

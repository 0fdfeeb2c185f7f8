package io.stowline.system.ledger.consumer;

import io.stowline.system.ledger.consumer.ConsumerPage.Figures;
import io.stowline.system.ledger.subject.Client;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The figures of consumers side by side, in Markdown. */
final class ConsumerTable {

    private final Map<Client, List<ConsumerPage>> pages;
    private final StringBuilder table = new StringBuilder();

    private ConsumerTable(Map<Client, List<ConsumerPage>> pages) {
        this.pages = new TreeMap<>(pages);
    }

    static String of(Map<Client, List<ConsumerPage>> pages) {
        ConsumerTable table = new ConsumerTable(pages);
        table.figures();
        table.rules();
        return table.table.toString();
    }

    private void figures() {
        table.append("| | ")
                .append(pages.keySet().stream().map(Client::toString).collect(Collectors.joining(" | ")))
                .append(" |\n| --- |")
                .append(" ---: |".repeat(pages.size()))
                .append('\n');
        row("messages", Figures::messages);
        ends().forEach(event -> line(event, sums(page -> page.ends().getOrDefault(event, 0))));
        row("messages in hand at these ends", Figures::inHand);
        line("lost responses", sums(ConsumerPage::lostResponses));
        line("responses of gateways", sums(ConsumerPage::gatewayResponses));
        line("responses not waited for", sums(ConsumerPage::givenUp));
        row("handled once", Figures::once);
        row("handled more than once", Figures::oftener);
        row("handlings interrupted", Figures::interrupted);
        row("still in the queue", Figures::left);
        row("reported as unknown", Figures::unknown);
        row("wrong", Figures::wrong);
        row("lost", Figures::lost);
        row("poison by mistake", Figures::poisoned);
    }

    private Set<String> ends() {
        Set<String> ends = new TreeSet<>();
        pages.values()
                .forEach(all -> all.forEach(page -> ends.addAll(page.ends().keySet())));
        return ends;
    }

    private void row(String title, ToIntFunction<Figures> figure) {
        line(title, sums(page -> figure.applyAsInt(page.figures())));
    }

    private List<Integer> sums(ToIntFunction<ConsumerPage> figure) {
        return pages.values().stream()
                .map(all -> all.stream().mapToInt(figure).sum())
                .toList();
    }

    private void rules() {
        TreeSet<String> rules = new TreeSet<>();
        pages.values().forEach(all -> all.forEach(page -> page.violations().forEach(story -> rules.add(rule(story)))));
        rules.forEach(rule -> line(
                "wrong: " + rule,
                pages.values().stream()
                        .map(all -> all.stream()
                                .flatMap(page -> page.violations().stream())
                                .filter(story -> rule(story).equals(rule))
                                .count())
                        .toList()));
    }

    private static String rule(String story) {
        return story.lines().findFirst().orElse("");
    }

    private void line(String title, List<? extends Number> cells) {
        table.append("| ")
                .append(title)
                .append(" | ")
                .append(cells.stream().map(Object::toString).collect(Collectors.joining(" | ")))
                .append(" |\n");
    }
}

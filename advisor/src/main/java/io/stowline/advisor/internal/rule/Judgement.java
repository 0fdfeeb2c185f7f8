package io.stowline.advisor.internal.rule;

import io.stowline.advisor.Figure;
import io.stowline.advisor.Severity;
import io.stowline.advisor.Threshold;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The result of a rule.
 *
 * @param severity the severity
 * @param problem the judgement, in a sentence for each of its gravest problems
 * @param evidence the figures that it stands on
 * @param objects the objects that it concerns, the gravest first
 */
public record Judgement(Severity severity, String problem, List<Figure> evidence, List<String> objects) {

    private static final int MIN_EVENTS = 3;

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]");

    /** Copies the lists. */
    public Judgement {
        evidence = List.copyOf(evidence);
        objects = List.copyOf(objects);
    }

    static Judgement notApplicable(String reason) {
        return new Judgement(Severity.NOT_APPLICABLE, reason, List.of(), List.of());
    }

    static String text(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** A builder of a judgement, whose gravest problems count. */
    static final class Builder {

        private final Levels levels;
        private final long samples;
        private final long min;
        private final List<Figure> evidence = new ArrayList<>();
        private final List<String> objects = new ArrayList<>();
        private Severity severity = Severity.OK;
        private boolean isChance;
        private String problem = "";

        Builder(Levels levels, long samples, long min) {
            this.levels = levels;
            this.samples = samples;
            this.min = min;
        }

        /** Adds a figure that decides nothing by itself. */
        Builder figure(String name, double value, String unit) {
            evidence.add(new Figure(name, value, unit, null, samples));
            return this;
        }

        Builder figure(String name, long value, String unit) {
            return figure(name, (double) value, unit);
        }

        /** Adds a fact of the running client. */
        Builder fact(String name, Object value) {
            evidence.add(new Figure(name, null, String.valueOf(value), null, 0));
            return this;
        }

        /** Adds an object; characters of its name that are not printed, or change the direction of a text, become question marks. */
        Builder object(String object) {
            objects.add(UNPRINTABLE.matcher(object).replaceAll("?"));
            return this;
        }

        /** Raises a severity if a value is above its threshold. */
        Builder over(Threshold threshold, String name, double value, Severity raised, String found) {
            add(threshold, name, value);
            return raise(levels.isOver(threshold, value, raised), raised, found);
        }

        /** Raises a severity if a number is above its threshold. */
        Builder over(Threshold threshold, String name, long value, Severity raised, String found) {
            return over(threshold, name, (double) value, raised, found);
        }

        /** Raises a severity if a value is below its threshold, and something else holds. */
        Builder under(Threshold threshold, String name, double value, boolean also, Severity raised, String found) {
            add(threshold, name, value);
            return raise(also && levels.isUnder(threshold, value, raised), raised, found);
        }

        /** Raises a severity if two values are above their thresholds. */
        Builder overBoth(
                Threshold threshold,
                String name,
                double value,
                Threshold other,
                String otherName,
                double otherValue,
                Severity raised,
                String found) {
            add(threshold, name, value);
            add(other, otherName, otherValue);
            return raise(
                    levels.isOver(threshold, value, raised) && levels.isOver(other, otherValue, raised), raised, found);
        }

        /** Raises nothing from here on for one or two events of a kind, which may be chance. */
        Builder events(long number) {
            isChance = number < MIN_EVENTS;
            return this;
        }

        /** Raises from here on whatever breaks the practice. */
        Builder always() {
            isChance = false;
            return this;
        }

        Builder raise(boolean broken, Severity raised, String found) {
            if (broken && !isChance && raised.compareTo(severity) > 0) {
                severity = raised;
                problem = found;
            } else if (broken && !isChance && raised == severity && !problem.contains(found)) {
                problem += " " + found;
            }
            return this;
        }

        private void add(Threshold threshold, String name, double value) {
            Figure figure = new Figure(name, value, threshold.unit(), levels.of(threshold), samples);
            if (!evidence.contains(figure)) {
                evidence.add(figure);
            }
        }

        /** Ends the judgement, with the sentence of an obeyed practice. */
        Judgement build(String obeyed) {
            if (!levels.isEnough(samples, min)) {
                String few = text("Seen %,d of the %,d events that a judgement takes.", samples, min);
                return new Judgement(Severity.NOT_ENOUGH_DATA, few, evidence, List.of());
            }
            boolean broken = severity.isBroken();
            return new Judgement(severity, broken ? problem : obeyed, evidence, broken ? objects : List.of());
        }
    }
}

package io.stowline.examples.quickstart;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * Deals out the cities of many countries in runs of one country each, every country at an even pace over the whole.
 *
 * <p>The source is sorted by country, and a partition takes one transaction at a time: fed in that order, one request
 * would be in flight. Round robin over the countries would keep many busy at first and, at the end, only the largest.
 * Here a country of {@code n} runs gets one in each {@code n}th part of the job. Where in that part differs from country
 * to country, so that the countries of one run are spread as well.
 *
 * <p>Not thread-safe.
 */
final class Interleaving implements Iterator<Run> {

    // Multiples of the golden ratio fill the space between 0 and 1 evenly, however many there are.
    private static final double GOLDEN = 0.6180339887498949;

    private final int runSize;
    private final PriorityQueue<Turn> turns =
            new PriorityQueue<>(Comparator.comparingDouble(Turn::due).thenComparing(Turn::code));

    Interleaving(Collection<Country> countries, int runSize) {
        this.runSize = runSize;
        int index = 0;
        for (Country country : countries) {
            if (country.size() > 0) {
                turns.add(new Turn(country, index++ * GOLDEN % 1));
            }
        }
    }

    @Override
    public boolean hasNext() {
        return !turns.isEmpty();
    }

    @Override
    public Run next() {
        Turn turn = turns.poll();
        if (turn == null) {
            throw new NoSuchElementException("all cities are dealt out");
        }
        Run run = turn.take();
        if (!run.last()) {
            turns.add(turn);
        }
        return run;
    }

    /** One country's way through the job. */
    private final class Turn {

        private final Country country;
        private final Country.Cursor cities;
        private final double phase;
        private final int runs;
        private int taken;

        Turn(Country country, double phase) {
            this.country = country;
            this.cities = country.cursor();
            this.phase = phase;
            this.runs = (country.size() + runSize - 1) / runSize;
        }

        String code() {
            return country.code();
        }

        /** When its next run is due: 0 is the beginning of the job and 1 is its end. */
        double due() {
            return (taken + phase) / runs;
        }

        Run take() {
            taken++;
            return new Run(cities.next(runSize), !cities.hasNext());
        }
    }
}

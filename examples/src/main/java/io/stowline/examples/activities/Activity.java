package io.stowline.examples.activities;

import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An activity of an advertising application: a user has seen an advertisement on a page.
 *
 * @param at when
 * @param number the number of the activity, from which all but the time follows
 * @param user the user
 * @param page the page
 * @param campaign the campaign that pays
 * @param microcents what it pays
 */
record Activity(Instant at, long number, String user, String page, String campaign, long microcents) {

    private static final List<String> SECTIONS = List.of("news", "sports", "weather", "music", "travel", "games");
    private static final List<String> CAMPAIGNS = List.of("spring", "shoes", "cruise", "pizza", "museum");
    private static final int USERS = 100_000;
    private static final int PAGES = 2_000;
    private static final int MAX_PRICE = 250_000;

    static Activity of(long number, Instant at) {
        SplittableRandom random = new SplittableRandom(number);
        return new Activity(
                at,
                number,
                "user-" + random.nextInt(USERS),
                "/" + SECTIONS.get(random.nextInt(SECTIONS.size())) + "/" + random.nextInt(PAGES),
                CAMPAIGNS.get(random.nextInt(CAMPAIGNS.size())),
                random.nextInt(MAX_PRICE));
    }
}

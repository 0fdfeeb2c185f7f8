/**
 * The parts of an HTTP interface that an application over Stowline needs in Spring MVC: problem details for the exceptions of the client, strong
 * entity tags for conditional changes, and pages of lists by their tokens.
 *
 * <p>Exceptions that leave a handler become problems (RFC 9457), each of a {@link io.stowline.spring.boot.web.ProblemType}. A handler takes {@link
 * io.stowline.spring.boot.web.IfMatch} and {@link io.stowline.spring.boot.web.PageParameters} as arguments, without an annotation:
 *
 * <pre>{@code
 * @RestController
 * @RequestMapping("/runners/{race}")
 * class RunnerController {
 *     private final Table<Runner> runners;
 *
 *     RunnerController(Table<Runner> runners) {
 *         this.runners = runners;
 *     }
 *
 *     @GetMapping
 *     ResponseEntity<PageResponse<Runner>> list(@PathVariable String race, PageParameters page) {
 *         return page.response(page.of(runners.query().partition(race)));
 *     }
 *
 *     @GetMapping("/{bib}")
 *     ResponseEntity<Runner> get(@PathVariable String race, @PathVariable String bib) {
 *         return EntityTag.ok(runners.find(race, bib));
 *     }
 *
 *     @PutMapping("/{bib}")
 *     ResponseEntity<Void> change(@PathVariable String race, @PathVariable String bib, IfMatch ifMatch, @RequestBody Runner changed) {
 *         WriteResult written = runners.replace(ifMatch.check(runners.find(race, bib)).with(changed));
 *         return ResponseEntity.noContent().headers(EntityTag.of(written.etag())).build();
 *     }
 * }
 * }</pre>
 *
 * <p>An own {@code @ExceptionHandler} of the application takes precedence, and {@code stowline.web.problem-details.enabled=false} turns the problem
 * details off. This room uses the public API of the client only; Spring's web modules are optional.
 */
@NullMarked
package io.stowline.spring.boot.web;

import org.jspecify.annotations.NullMarked;

// Put the content into NodeBB by its own functions, inside its folder: node nodebb_load.js CONTENT RESULT
'use strict';

const fs = require('fs');
const path = require('path');
const { promisify } = require('util');
const here = process.cwd();
const load = (name) => require(path.join(here, name));

const nconf = load('node_modules/nconf');
nconf.file({ file: path.join(here, 'config.json') });
nconf.defaults({
	base_dir: here, themes_path: path.join(here, 'node_modules'), views_dir: path.join(here, 'public/templates'),
	upload_path: '/public/uploads', relative_path: '', base_url: nconf.get('url'),
});

async function main(content, result) {
	const database = load('src/database');
	await promisify(database.init)();
	// These two fetch pictures from the web when they start.
	await promisify(database.sortedSetRemove)('plugins:active', ['nodebb-plugin-emoji-one', 'nodebb-plugin-emoji-extended']);
	const meta = load('src/meta');
	await promisify(meta.configs.init)();
	await promisify(meta.configs.set)('eventLoopLagThreshold', 60000); // on a busy machine it would answer 503
	Object.assign(meta.config, { postDelay: 0, initialPostDelay: 0, newbiePostDelay: 0, minimumPostLength: 1 });
	const users = {};
	for (const user of content.users) {
		const told = { username: user.name, email: `${user.name}@example.org`, timestamp: Date.parse(user.joined) };
		users[user.name] = await promisify(load('src/user').create)(told);
	}
	const boards = [];
	for (const board of content.boards) {
		const parent = board.parent === null ? 0 : boards[board.parent].cid;
		const told = { name: board.name, description: board.description, parentCid: parent };
		boards.push(await promisify(load('src/categories').create)(told));
	}
	const topics = load('src/topics');
	const threads = {};
	for (const post of content.posts) {
		const told = { uid: users[post.author], content: post.text, timestamp: Date.parse(post.time) };
		if (post.place === 0) {
			Object.assign(told, { cid: boards[post.board].cid, title: post.title });
			threads[post.title] = (await promisify(topics.post)(told)).topicData;
		} else {
			await promisify(topics.reply)({ tid: threads[post.title].tid, ...told });
		}
	}
	for (const thread of content.threads) {
		if (thread.sticky) await promisify(topics.tools.pin)(threads[thread.title].tid, 1);
		if (thread.locked) await promisify(topics.tools.lock)(threads[thread.title].tid, 1);
	}
	const slugs = Object.entries(threads).map(([title, thread]) => [title, thread.slug]);
	fs.writeFileSync(result, JSON.stringify({ boards: boards.map((board) => board.slug), threads: Object.fromEntries(slugs) }));
	process.exit();
}

main(JSON.parse(fs.readFileSync(process.argv[2])), process.argv[3]).catch((error) => {
	console.error(error);
	process.exit(1);
});
